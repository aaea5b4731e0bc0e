// The calls that most programs need, on any transport.
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { durationFromMs } from "@bufbuild/protobuf/wkt";
import { createClient, type Client as Caller, type Transport } from "@connectrpc/connect";
import { KingmakerError } from "./errors.js";
import {
  AnalysisService,
  type AnalyzeResponse,
  type SelectMoveResponse,
  type SuggestMovesResponse,
} from "./gen/kingmaker/v1/analysis_service_pb.js";
import { BotService } from "./gen/kingmaker/v1/bot_service_pb.js";
import {
  GameService,
  type ApplyMovesResponse,
  type GameSummary,
  type LegalMove,
  type StartGameResponse,
} from "./gen/kingmaker/v1/game_service_pb.js";
import { LadderService } from "./gen/kingmaker/v1/ladder_service_pb.js";
import { MoveSchema, type Move, type Observation, type Position } from "./gen/kingmaker/v1/types_pb.js";

export interface Options {
  /** Sent with every call, for servers that ask for one. */
  token?: string;
  /** Milliseconds for a call, all its repetitions included; 30,000 unless given. */
  timeoutMs?: number;
}

export interface SearchOptions {
  /** Time to search, in milliseconds. */
  budgetMs?: number;
  /** Cancels the call. */
  signal?: AbortSignal;
}

const TIMEOUT_MS = 30_000;

/**
 * A connection to a server, made by `connect`. Every call throws `KingmakerError`. Calls that the
 * server asks to repeat later are repeated when it says, as long as their time lasts.
 */
export class Client {
  /** All calls about rules. */
  readonly games: Caller<typeof GameService>;
  /** All calls that search. */
  readonly analysis: Caller<typeof AnalysisService>;
  /** All calls about connected bots, but for the stream that a bot itself opens. */
  readonly bots: Caller<typeof BotService>;
  /** All calls about ladders. */
  readonly ladders: Caller<typeof LadderService>;

  constructor(bare: Transport, options: Options) {
    const transport = helped(bare, options);
    this.games = createClient(GameService, transport);
    this.analysis = createClient(AnalysisService, transport);
    this.bots = createClient(BotService, transport);
    this.ladders = createClient(LadderService, transport);
  }

  /** Lists the games. */
  async listGames(): Promise<GameSummary[]> {
    const found: GameSummary[] = [];
    let pageToken = "";
    do {
      const page = await this.games.listGames({ pageToken });
      found.push(...page.games);
      pageToken = page.nextPageToken;
    } while (pageToken);
    return found;
  }

  /** Starts a game and draws its first outcomes; the server draws a seed if none is given. */
  start(
    game: string,
    given: { options?: Record<string, string>; seed?: bigint; viewers?: number[] } = {},
  ): Promise<StartGameResponse> {
    return this.games.startGame({ game, settle: true, ...given });
  }

  /** Returns what a seat (0: a spectator) sees of a position. */
  async observe(position: Position, seat: number): Promise<Observation> {
    const { observation } = await this.games.observe({ position, seat });
    if (!observation) throw new Error("the server answered without an observation");
    return observation;
  }

  /** Lists the legal moves with a description each; empty unless a seat decides. */
  async legalMoves(source: Position | Observation): Promise<LegalMove[]> {
    const request =
      source.$typeName === "kingmaker.v1.Position"
        ? { case: "position" as const, value: source }
        : { case: "observation" as const, value: source };
    return (await this.games.listMoves({ source: request })).moves;
  }

  /** Applies moves and draws the outcomes between and after them, with the seed of the game. */
  play(
    position: Position,
    moves: (Move | string)[],
    given: { seed: bigint; viewers?: number[] },
  ): Promise<ApplyMovesResponse> {
    const listed = moves.map((move) =>
      typeof move === "string" ? create(MoveSchema, { text: move }) : move,
    );
    return this.games.applyMoves({ position, moves: listed, ...given });
  }

  /** Returns a bot's move for the seat to decide, from what it sees. */
  selectMove(
    observation: Observation,
    { level = 10, budgetMs = 100, signal }: SearchOptions & { level?: number } = {},
  ): Promise<SelectMoveResponse> {
    return this.analysis.selectMove({ search: search(observation, budgetMs), level }, options(signal));
  }

  /** Returns the best moves with reasons. */
  hint(
    observation: Observation,
    { top = 3, budgetMs = 1000, signal }: SearchOptions & { top?: number } = {},
  ): Promise<SuggestMovesResponse> {
    return this.analysis.suggestMoves({ search: search(observation, budgetMs), top }, options(signal));
  }

  /** Yields snapshots of a search, the last with `isFinal`; leaving the loop cancels it. */
  async *analyze(
    observation: Observation,
    { budgetMs = 10_000, reportMs = 200, signal }: SearchOptions & { reportMs?: number } = {},
  ): AsyncGenerator<AnalyzeResponse, void, undefined> {
    const request = { search: search(observation, budgetMs), reportInterval: durationFromMs(reportMs) };
    const left = new AbortController();
    const snapshots = this.analysis.analyze(request, {
      signal: signal ? AbortSignal.any([signal, left.signal]) : left.signal,
      timeoutMs: Math.max(TIMEOUT_MS, budgetMs + 5000),
    })[Symbol.asyncIterator]();
    try {
      for (;;) {
        const { done, value } = await snapshots.next();
        if (done) return;
        yield value;
      }
    } finally {
      left.abort();
      // Connect clears the timer of the deadline when it has told of the end.
      await snapshots.next().catch(() => undefined);
    }
  }
}

function search(observation: Observation, budgetMs: number) {
  return {
    subject: { case: "observation" as const, value: observation },
    budget: { time: durationFromMs(budgetMs) },
  } satisfies MessageInitShape<(typeof AnalysisService)["method"]["selectMove"]["input"]>["search"];
}

function options(signal: AbortSignal | undefined) {
  return signal ? { signal } : {};
}

/** Makes a transport send the token, repeat calls as the server asks, and read details of errors. */
function helped(transport: Transport, { token, timeoutMs: usualMs = TIMEOUT_MS }: Options): Transport {
  function headers(given: HeadersInit | undefined): Headers {
    const found = new Headers(given);
    if (token) found.set("authorization", `Bearer ${token}`);
    return found;
  }
  return {
    async unary(method, signal, timeoutMs = usualMs, header, input, values) {
      const end = Date.now() + timeoutMs;
      for (;;) {
        const left = Math.max(end - Date.now(), 1);
        try {
          return await transport.unary(method, signal, left, headers(header), input, values);
        } catch (thrown) {
          const error = KingmakerError.of(thrown);
          if (error.retryMs === undefined || Date.now() + error.retryMs >= end) throw error;
          await pause(error.retryMs, signal);
        }
      }
    },
    async stream(method, signal, timeoutMs = usualMs, header, input, values) {
      try {
        const sent = headers(header);
        const response = await transport.stream(method, signal, timeoutMs, sent, input, values);
        return { ...response, message: told(response.message) };
      } catch (error) {
        throw KingmakerError.of(error);
      }
    },
  };
}

async function* told<T>(messages: AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
  try {
    yield* messages;
  } catch (error) {
    throw KingmakerError.of(error);
  }
}

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(KingmakerError.of(signal.reason));
    }, { once: true });
  });
}

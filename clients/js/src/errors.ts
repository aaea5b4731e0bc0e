// Errors of the server with their details.
import { fromBinary, type DescMessage, type MessageShape } from "@bufbuild/protobuf";
import { ConnectError, type Code } from "@connectrpc/connect";
import {
  BadRequestSchema,
  ErrorInfoSchema,
  PreconditionFailureSchema,
  RetryInfoSchema,
} from "./gen/details_pb.js";

/** One wrong field: its path in the request, and what is wrong with it. */
export interface Violation {
  readonly field: string;
  readonly description: string;
}

/** An error that the server answered with, or of the connection if there is no `reason`. */
export class KingmakerError extends ConnectError {
  // That of ConnectError takes every error of its form for an instance, and knows it by its name.
  static override [Symbol.hasInstance](value: unknown): boolean {
    return Object.prototype.isPrototypeOf.call(KingmakerError.prototype, value as object);
  }

  /** For programs, as `WRONG_STATE`; empty: not from a Kingmaker server. */
  readonly reason: string;
  /** Path of the wrong field; may be empty. */
  readonly field: string;
  /** The wrong value; may be empty. */
  readonly value: string;
  /** Number of the rule that is broken; may be empty. */
  readonly rule: string;
  /** All wrong fields. */
  readonly violations: readonly Violation[];
  /** When to try again, in milliseconds; undefined: that would not help. */
  readonly retryMs: number | undefined;

  constructor(error: ConnectError) {
    super(error.rawMessage, error.code, error.metadata, undefined, error.cause);
    this.details = error.details;
    const info = unpacked(error, "ErrorInfo", ErrorInfoSchema);
    this.reason = info?.reason ?? "";
    this.field = info?.metadata["field"] ?? "";
    this.value = info?.metadata["value"] ?? "";
    this.rule = info?.metadata["rule"] ?? "";
    const request = unpacked(error, "BadRequest", BadRequestSchema);
    const state = unpacked(error, "PreconditionFailure", PreconditionFailureSchema);
    this.violations = [
      ...(request?.fieldViolations ?? []),
      ...(state?.violations ?? []).map(({ subject, description }) => ({ field: subject, description })),
    ].map(({ field, description }) => ({ field, description }));
    const delay = unpacked(error, "RetryInfo", RetryInfoSchema)?.retryDelay;
    this.retryMs = delay && Number(delay.seconds) * 1000 + delay.nanos / 1e6;
  }

  static of(error: unknown): KingmakerError {
    return error instanceof KingmakerError ? error : new KingmakerError(ConnectError.from(error));
  }
}

export type { Code };

/** Returns the detail of a name. */
function unpacked<D extends DescMessage>(
  error: ConnectError,
  name: string,
  schema: D,
): MessageShape<D> | undefined {
  for (const detail of error.details) {
    if ("type" in detail && detail.type.split(".").at(-1) === name) {
      return fromBinary(schema, detail.value);
    }
  }
  return undefined;
}

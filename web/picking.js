// Choosing a move by pressing things on the board. A board names what can be pressed by keys, and
// says for each move the keys that choose it, in order: a card and its target, a piece and a square.

export class Picking {
  constructor() {
    /** @type {string[]} */ this.picked = [];
    /** @type {{keys: string[], move: any}[]} */ this.moves = [];
  }

  /**
   * Begins anew with other moves.
   * @param {any[]} moves
   * @param {(move: any) => string[]} keysOf
   */
  reset(moves, keysOf) {
    this.picked = [];
    this.moves = moves.map((move) => ({ move, keys: keysOf(move) }));
  }

  /** The moves that are still possible. */
  get open() {
    const depth = this.picked.length;
    return this.moves.filter(({ keys }) => this.picked.every((key, i) => keys[i] === key) || !depth);
  }

  /**
   * Whether something can be pressed.
   * @param {string} key
   */
  isOpen(key) {
    return this.open.some(({ keys }) => keys[this.picked.length] === key) || this.starts(key);
  }

  /**
   * Whether it goes on with what has been pressed.
   * @param {string} key
   */
  isNext(key) {
    const depth = this.picked.length;
    return depth > 0 && this.open.some(({ keys }) => keys[depth] === key);
  }

  /** @param {string} key */
  isPicked(key) {
    return this.picked.includes(key);
  }

  /** @param {string} key */
  starts(key) {
    return this.moves.some(({ keys }) => keys[0] === key);
  }

  /**
   * Presses something; returns the move if that decides it.
   * @param {string} key
   * @returns {any}
   */
  press(key) {
    if (this.picked.at(-1) === key) {
      this.picked.pop();
      return null;
    }
    const goesOn = this.open.some(({ keys }) => keys[this.picked.length] === key);
    if (goesOn) this.picked.push(key);
    else if (this.starts(key)) this.picked = [key];
    else return null;
    const left = this.open;
    const isDecided = left.length === 1 && left[0].keys.length === this.picked.length;
    return isDecided ? left[0].move : null;
  }
}

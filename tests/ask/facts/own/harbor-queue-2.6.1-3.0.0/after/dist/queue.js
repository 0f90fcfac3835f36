'use strict';
Object.defineProperty(exports, '__esModule', { value: true });
exports.HarborQueue = void 0;

class HarborQueue {
  #worker;
  #options;
  #waiting = [];
  #running = 0;
  #idle = [];
  #isShut = false;

  constructor(worker, options = {}) {
    this.#worker = worker;
    this.#options = { maxParallel: 1, deadlineMs: 0, backoffMs: 0, ...options };
  }

  get size() {
    return this.#waiting.length;
  }

  push(job, { rank = 0, signal } = {}) {
    if (this.#isShut) return Promise.reject(new Error('shut down'));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ job, rank, signal, resolve, reject });
      this.#waiting.sort((a, b) => a.rank - b.rank);
      this.#next();
    });
  }

  whenIdle() {
    if (this.#running === 0 && this.#waiting.length === 0) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  async shutdown() {
    this.#isShut = true;
    for (const entry of this.#waiting.splice(0)) entry.reject(new Error('shut down'));
    await this.whenIdle();
  }

  #next() {
    while (this.#running < this.#options.maxParallel && this.#waiting.length > 0) {
      this.#running += 1;
      this.#run(this.#waiting.shift()).finally(() => {
        this.#running -= 1;
        this.#next();
      });
    }
    if (this.#running === 0) for (const resolve of this.#idle.splice(0)) resolve();
  }

  async #run({ job, signal, resolve, reject }) {
    for (let left = 1; ; --left) {
      const began = Date.now();
      const limits = signal ? [signal] : [];
      if (this.#options.deadlineMs > 0) limits.push(AbortSignal.timeout(this.#options.deadlineMs));
      try {
        const output = await this.#worker(job, AbortSignal.any(limits));
        return resolve({ output, elapsedMs: Date.now() - began });
      } catch (error) {
        if (left === 0) return reject(error);
        await new Promise((done) => setTimeout(done, this.#options.backoffMs));
      }
    }
  }
}
exports.HarborQueue = HarborQueue;

'use strict';

class HarborQueue {
  constructor(worker, options) {
    this.worker = worker;
    this.options = Object.assign({ concurrency: 1, timeout: 0, retryDelay: 0 }, options);
    this.waiting = [];
    this.running = 0;
    this.drained = [];
    this.stopped = false;
  }

  get length() {
    return this.waiting.length;
  }

  push(job, options, callback) {
    if (this.stopped) return callback(new Error('stopped'));
    this.waiting.push({ job, priority: options.priority || 0, callback, failed: false });
    this.waiting.sort((a, b) => b.priority - a.priority);
    this._next();
  }

  drain(callback) {
    if (this.running === 0 && this.waiting.length === 0) return process.nextTick(callback);
    this.drained.push(callback);
  }

  stop() {
    this.stopped = true;
  }

  _next() {
    while (this.running < this.options.concurrency && this.waiting.length > 0) {
      this._run(this.waiting.shift());
    }
    if (this.running === 0) this.drained.splice(0).forEach((callback) => callback());
  }

  _run(entry) {
    const began = Date.now();
    this.running += 1;
    const work = [this.worker(entry.job)];
    let timer;
    if (this.options.timeout > 0) {
      work.push(new Promise((_, reject) => {
        timer = setTimeout(() => reject(new Error('timeout')), this.options.timeout);
      }));
    }
    Promise.race(work).then(
      (value) => entry.callback(null, { value, took: Date.now() - began }),
      (error) => {
        if (entry.failed) return entry.callback(error);
        entry.failed = true;
        setTimeout(() => { this.waiting.unshift(entry); this._next(); }, this.options.retryDelay);
      }
    ).then(() => { clearTimeout(timer); this.running -= 1; this._next(); });
  }
}

exports.HarborQueue = HarborQueue;

export class RouteTable {
  #routes = [];

  /**
   * @param {string} pattern such as `/orders/:id`
   * @param {{name: string}} about
   */
  register(pattern, { name }) {
    this.#routes.push({ pieces: pattern.split('/'), name });
    return this;
  }

  [Symbol.iterator]() {
    return this.#routes[Symbol.iterator]();
  }
}

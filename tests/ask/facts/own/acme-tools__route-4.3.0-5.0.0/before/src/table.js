export class RouteTable {
  constructor() {
    this.routes = [];
  }

  /**
   * @param {string} pattern such as `/orders/:id`
   * @param {string} name
   */
  add(pattern, name) {
    this.routes.push({ pieces: pattern.split('/'), name });
    return this;
  }
}

// The best lines in a list: each one opens when it is clicked, and stays open while it changes.

export class Lines {
  #list;
  #items = [];

  constructor(list) {
    this.#list = list;
  }

  /** Shows these lines, each `{ score, moves }`, and no others. */
  draw(lines) {
    while (this.#items.length < lines.length) this.#add();
    for (const [index, { item, summary }] of this.#items.entries()) {
      const line = lines[index];
      item.hidden = line === undefined;
      summary.textContent = line ? `${line.score.padStart(7, "\u00a0")}  ${line.moves}` : "";
    }
  }

  #add() {
    const [item, details, summary] = ["li", "details", "summary"].map((tag) => document.createElement(tag));
    details.append(summary);
    item.append(details);
    this.#list.append(item);
    this.#items.push({ item, summary });
  }
}

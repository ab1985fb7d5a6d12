/** Steps that stop and remove what was started, run in reverse order. */
export class Undo {
  readonly #steps: (() => Promise<void> | void)[] = []

  add(step: () => Promise<void> | void): void {
    this.#steps.push(step)
  }

  /** Runs each step once. If a step fails, the others still run. */
  async run(): Promise<void> {
    for (const step of this.#steps.splice(0).reverse()) {
      try {
        await step()
      } catch (error) {
        console.error(error)
      }
    }
  }
}

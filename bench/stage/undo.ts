/** What is to be stopped and removed in the end, the last first. */
export class Undo {
  readonly #steps: (() => Promise<void> | void)[] = []

  add(step: () => Promise<void> | void): void {
    this.#steps.push(step)
  }

  /** Takes everything back, once; a step that fails does not keep the others from being taken. */
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

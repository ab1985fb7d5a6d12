import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Steps that stop and remove what was started, run in reverse order. */
export class Undo {
  readonly #steps: (() => Promise<void> | void)[] = []

  add(step: () => Promise<void> | void): void {
    this.#steps.push(step)
  }

  /** A temporary folder, which is removed. */
  folder(name: string): string {
    const folder = mkdtempSync(join(tmpdir(), `wp-frames-${name}-`))
    this.add(() => rmSync(folder, { recursive: true, force: true }))
    return folder
  }

  /** Steps that may run before these, and run with these otherwise. */
  part(): Undo {
    const part = new Undo()
    this.add(() => part.run())
    return part
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

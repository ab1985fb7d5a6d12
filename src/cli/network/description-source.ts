import { isServiceError } from '#client'
import type { DescriptionProblem } from '../../network/description/problems.ts'
import { CommandError } from '../cli-context.ts'
import { NETWORK_FILE } from './network-file.ts'
import { type DescribeProblem, sentenceOf } from './plan-groups.ts'

/** The line of the value at a path of `network.yaml`. */
export type LineAt = (path: readonly PropertyKey[]) => number

/** The files of a bundle's frames and menus, in the order of the description. */
export type BundleSources = {
  readonly frames: readonly { readonly file: string }[]
  readonly menus: readonly {
    readonly file: string
    readonly menu: { readonly slug: string }
    lineAt(item: string): number
  }[]
}

/** Where the parts of a description are in its folder. */
export class DescriptionSource {
  readonly #lineAt: LineAt
  readonly #bundles: ReadonlyMap<string, BundleSources>

  constructor(lineAt: LineAt, bundles: ReadonlyMap<string, BundleSources>) {
    this.#lineAt = lineAt
    this.#bundles = bundles
  }

  /** The file of a frame of a bundle, by its position. */
  frameFile(bundle: string, index: number): string | undefined {
    return this.#bundles.get(bundle)?.frames[index]?.file
  }

  /** With the file and line of an item, unless several bundles have its menu. */
  readonly describe: DescribeProblem = (problem) => {
    const { kind, name, at, message } = problem
    const menus = [...this.#bundles.values()].flatMap(({ menus }) => menus)
    const [menu, other] = kind === 'menu' ? menus.filter(({ menu }) => menu.slug === name) : []
    if (at === undefined || !menu || other) return sentenceOf(problem)
    return `${kind} ${name}: ${menu.file}, line ${menu.lineAt(at)}, item ${at}: ${message}`
  }

  /**
   * Runs work that finds problems of the description.
   * @throws CommandError with the file and line of each problem
   */
  async locating<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (!isServiceError(error, 'bad_description')) throw error
      const { problems = [] } = error.fields
      const [heading, ...lines] = error.message.split('\n')
      const located = problems.map((problem) => this.#locate(problem))
      throw new CommandError([heading, ...located, ...lines.slice(problems.length)].join('\n'))
    }
  }

  #locate({ at, message }: DescriptionProblem): string {
    const source = this.#find(at)
    const [, item] = /^item (\d+(?:\.\d+)*)\b/.exec(message) ?? []
    if (source && 'lineAt' in source && item !== undefined)
      return `${source.file}, line ${source.lineAt(item)}: ${message}`
    if (source) return `${source.file}: ${message}`
    if (!/^(?:bundles|sites)\./.test(at)) return `${at}: ${message}`
    return `${NETWORK_FILE}, line ${this.#lineAt(at.split('.'))}: ${at}: ${message}`
  }

  /** The file of the frame or menu at a position, such as `bundles.shop.menus.0`. */
  #find(at: string): BundleSources['frames'][number] | BundleSources['menus'][number] | undefined {
    const [, bundle = '', list, index] = /^bundles\.([^.]+)\.(frames|menus)\.(\d+)/.exec(at) ?? []
    const sources = this.#bundles.get(bundle)
    return list === 'menus' || list === 'frames' ? sources?.[list][Number(index)] : undefined
  }
}

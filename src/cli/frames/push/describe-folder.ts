import type { Db } from '../../../db/database.ts'
import type {
  DesiredFrame,
  DesiredProblem,
  DesiredSite,
} from '../../../description/desired-site.ts'
import { type FrameName, readRegistry } from '../../../frames/registry.ts'
import { SLUG_PATTERN } from '../../../frames/slug.ts'
import { sha256Hex } from '../../../hash.ts'
import type { Site } from '../../../wordpress/network/site.ts'
import type { ManifestEntry } from '../folder/manifest.ts'
import { describeLastChange, findReadableFrame } from '../site-frames.ts'
import type { ChangedFile, FolderChanges } from './folder-changes.ts'

export type PushOptions = {
  /** Overwrites frames that changed on the site since the pull. */
  readonly force: boolean
  /** Deletes frames whose files were removed. */
  readonly delete: boolean
}

/** The reason of a problem that `--force` solves. */
export const CONFLICT = 'conflict'

/**
 * Describes a site by what was done to a folder since it was pulled. A frame that changed on the site as well is a problem, so that nothing is
 * written.
 */
export async function describeFolder(
  db: Db,
  site: Site,
  changes: FolderChanges,
  options: PushOptions,
): Promise<DesiredSite> {
  const names = (await readRegistry(db, site)).all()
  const description = new FolderDescription(db, site, changes, options, names)
  for (const file of changes.changed) await description.add(file)
  if (options.delete) for (const entry of changes.removed) await description.remove(entry)
  const { frames, removedFrames, problems } = description
  return {
    manages: 'named',
    frames,
    removedFrames,
    menus: [],
    pages: [],
    variables: undefined,
    problems,
  }
}

class FolderDescription {
  readonly frames: DesiredFrame[] = []
  readonly removedFrames: string[] = []
  readonly problems: DesiredProblem[] = []
  readonly #db: Db
  readonly #site: Site
  readonly #entries: FolderChanges['entries']
  readonly #force: boolean
  readonly #byId: ReadonlyMap<string, FrameName>
  readonly #bySlug: ReadonlyMap<string, FrameName>
  /** The file of each described slug. */
  readonly #files = new Map<string, string>()

  constructor(
    db: Db,
    site: Site,
    { entries }: FolderChanges,
    { force }: PushOptions,
    names: readonly FrameName[],
  ) {
    this.#db = db
    this.#site = site
    this.#entries = entries
    this.#force = force
    this.#byId = new Map(names.map((name) => [name.id, name]))
    this.#bySlug = new Map(names.map((name) => [name.slug, name]))
  }

  async add(file: ChangedFile): Promise<void> {
    const { name, html, entry, isMoved } = file
    const current = entry && this.#byId.get(entry.id)
    // A frame that was renamed on the site keeps its file until the next pull.
    const slug = current && !isMoved ? current.slug : file.slug
    if (slug === undefined)
      return this.#report(
        name,
        invalid(`the name of the file is not a valid slug (${SLUG_PATTERN})`),
      )
    if (html === undefined) return this.#report(name, invalid('the file is not valid UTF-8'))
    const twin = this.#files.get(slug)
    if (twin !== undefined) return this.#report(name, invalid(`${twin} has the same slug`))
    this.#files.set(slug, name)
    // The frame was renamed on both sides.
    if (isMoved && current?.slug === slug && sha256Hex(html) === entry?.sha256) return
    const problem =
      current && entry
        ? await this.#refuseReplacement({ ...file, slug, html, entry }, current)
        : await this.#refuseCreation({ ...file, slug, html })
    if (problem) return this.#report(name, problem)
    this.frames.push({ slug, html, formerly: current ? [current.slug] : [] })
  }

  async remove(entry: ManifestEntry): Promise<void> {
    const current = this.#byId.get(entry.id)
    if (!current) return
    const problem = await this.#refuseChanged(current, entry)
    if (problem) this.#report(entry.file, problem)
    else this.removedFrames.push(current.slug)
  }

  async #refuseReplacement(
    { slug, html, entry, isMoved }: KnownFile,
    current: FrameName,
  ): Promise<Refusal | undefined> {
    const holder = this.#bySlug.get(slug)
    if (holder && holder.id !== current.id) return invalid(`the site has another frame "${slug}"`)
    if (isMoved && current.slug !== entry.slug && current.slug !== slug && !this.#force)
      return conflict(`"${entry.slug}" was renamed to "${current.slug}" on the site`)
    return this.#refuseChanged(current, entry, html)
  }

  /** For a new file, or the file of a frame that was deleted on the site. */
  async #refuseCreation({ slug, html, entry }: NewFile): Promise<Refusal | undefined> {
    const holder = this.#bySlug.get(slug)
    const pulled = holder && this.#entries.get(holder.id)
    if (pulled) return invalid(`the frame "${slug}" of the site is in ${pulled.file}; pull first`)
    if (this.#force) return undefined
    const stored = holder && (await findReadableFrame(this.#db, this.#site, holder))
    if (stored?.record.html === html) return undefined
    if (entry) return conflict('it was deleted on the site since the pull')
    return holder && conflict('the site has a frame with this slug that was never pulled')
  }

  /** @param html the contents of the file, which the site may have already */
  async #refuseChanged(
    current: FrameName,
    { sha256 }: ManifestEntry,
    html?: string,
  ): Promise<Refusal | undefined> {
    if (this.#force) return undefined
    const stored = await findReadableFrame(this.#db, this.#site, current)
    if (stored && (stored.meta.sha256 === sha256 || stored.record.html === html)) return undefined
    return conflict(`it was changed on the site since the pull, ${describeLastChange(stored)}`)
  }

  #report(name: string, refusal: Refusal): void {
    this.problems.push({ kind: 'frame', name, ...refusal })
  }
}

type NewFile = ChangedFile & { readonly slug: string; readonly html: string }
type KnownFile = NewFile & { readonly entry: ManifestEntry }

/** Why a file cannot be sent. */
type Refusal = Pick<DesiredProblem, 'reason' | 'message'>

const conflict = (message: string): Refusal => ({ reason: CONFLICT, message })
const invalid = (message: string): Refusal => ({ reason: 'invalid', message })

import { z } from 'zod'
import { forEachYielding } from '../../concurrency/for-each.ts'
import type { Db } from '../../db/database.ts'
import { inBatches } from '../../db/sql.ts'
import { AppError } from '../../errors.ts'
import { markupBytes } from '../../frames/graph.ts'
import { readAssignedLocations, readDatasetNames } from '../../frames/known-names.ts'
import { readRecords } from '../../frames/read-frame.ts'
import { readSiteGraph } from '../../frames/read-graph.ts'
import type { FrameName } from '../../frames/registry.ts'
import { INSERTS } from '../../markup/inserts/all-inserts.ts'
import { PARAMETER_VALUES } from '../../markup/inserts/insert-definition.ts'
import { listClasses } from '../../markup/list-classes.ts'
import { BIND_ATTRIBUTE } from '../../markup/parse-binds.ts'
import { FIXED_PATHS } from '../../markup/value-path.ts'
import { LOCATIONS } from '../../menus/locations.ts'
import { readLanguages } from '../../wordpress/languages/languages.ts'
import { listMenus } from '../../wordpress/nav-menus/nav-menu.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { defineEndpoint } from '../endpoint.ts'
import { siteId } from '../fields.ts'
import { MenuNamesSchema, presentMenu } from '../menus/present-menu.ts'

/** Entries of each list of a response. */
export const MAX_COMPLETIONS = 1000

/** Bytes of markup that are read for `classes`. */
export const MAX_CLASS_MARKUP_BYTES = 4 * 1024 * 1024

const InsertSchema = z
  .object({
    kind: z.string().meta({ description: 'The name after `svc/`.', examples: ['menu'] }),
    aliases: z.array(z.string()).describe('Other names.'),
    parameters: z.array(
      z.object({
        name: z.string().meta({ description: 'A key of the JSON.', examples: ['location'] }),
        value: z.enum(PARAMETER_VALUES).describe('What its value is.'),
        description: z.string(),
      }),
    ),
    passes_properties: z.boolean().describe('All other keys are properties of the frame.'),
    has_body: z.boolean().describe('It may have a body and a closing comment.'),
  })
  .meta({ id: 'Insert', description: 'An insert of the markup language.' })

export const listCompletionsEndpoint = defineEndpoint({
  name: 'listCompletions',
  method: 'get',
  path: '/completions',
  summary: 'List what an editor can complete in markup: inserts, value paths, names of the site',
  description: `At most ${MAX_COMPLETIONS} of each kind. Frames are not among them: \`GET /frames?q=\` searches them.`,
  response: z.object({
    site_id: siteId,
    bind_attribute: z.string().meta({ examples: [BIND_ATTRIBUTE] }),
    inserts: z.array(InsertSchema),
    paths: z
      .array(z.string())
      .meta({ description: 'Value paths of inserts and binds.', examples: [['site.title']] }),
    locations: z
      .array(z.string())
      .meta({ description: 'Locations of menus.', examples: [LOCATIONS] }),
    menus: z.array(MenuNamesSchema),
    languages: z
      .array(z.string())
      .meta({ description: 'Codes; none without Polylang.', examples: [['en', 'fr']] }),
    classes: z
      .array(z.string())
      .meta({ description: 'Classes in the markup of the frames.', examples: [['button']] }),
    truncated: z.boolean().describe('Some were left out.'),
  }),
  async read({ db, site }) {
    const [assigned, datasets, menus, languages, classes] = await Promise.all([
      readAssignedLocations(db, site),
      readDatasetNames(db, site),
      listMenus(db, site),
      readLanguages(db, site),
      readClasses(db, site),
    ])
    const locations = [...new Set([...LOCATIONS, ...[...assigned].sort()])]
    const paths = [
      ...FIXED_PATHS,
      ...locations.map((location) => `menu.${location}`),
      ...[...datasets].sort().map((name) => `dataset.${name}`),
    ]
    const lists = { paths, locations, menus: menus.map(presentMenu), classes: classes.names }
    return {
      site_id: site.blogId,
      bind_attribute: BIND_ATTRIBUTE,
      inserts: INSERTS.map(({ kinds: [kind = '', ...aliases], parameters, embeds }) => ({
        kind,
        aliases,
        parameters,
        passes_properties: embeds?.passesProps ?? false,
        has_body: kind === 'repeat',
      })),
      paths: paths.slice(0, MAX_COMPLETIONS),
      locations: locations.slice(0, MAX_COMPLETIONS),
      menus: lists.menus.slice(0, MAX_COMPLETIONS),
      languages: languages.list.map(({ slug }) => slug).slice(0, MAX_COMPLETIONS),
      classes: classes.names.slice(0, MAX_COMPLETIONS),
      truncated:
        !classes.areAll || Object.values(lists).some(({ length }) => length > MAX_COMPLETIONS),
    }
  },
})

/** The classes in the markup of the first frames, the most frequent first. */
async function readClasses(
  db: Db,
  site: Site,
): Promise<{ readonly names: readonly string[]; readonly areAll: boolean }> {
  const graph = await readSiteGraph(db, site)
  const [first = []] = inBatches(graph.all(), MAX_CLASS_MARKUP_BYTES, markupBytes)
  const htmls = await Promise.all(first.map((frame) => readMarkup(db, site, frame)))
  const counts = new Map<string, number>()
  let areAll = first.length === graph.all().length
  const countClasses = (names: readonly string[]) => {
    for (const name of names) {
      const count = counts.get(name)
      if (count === undefined && counts.size >= MAX_COUNTED_CLASSES) areAll = false
      else counts.set(name, (count ?? 0) + 1)
    }
  }
  await forEachYielding(classesIn(htmls), countClasses)
  const names = [...counts].sort(([, a], [, b]) => b - a).map(([name]) => name)
  return { names, areAll }
}

/** Different classes that are counted. Sorting more takes the main thread. */
const MAX_COUNTED_CLASSES = 10_000

function* classesIn(htmls: readonly string[]): Generator<readonly string[]> {
  for (const html of htmls) yield* listClasses(html)
}

/** The markup of a frame; nothing if it is unreadable, which the doctor reports. All reads of one tick share a statement. */
async function readMarkup(db: Db, site: Site, frame: FrameName): Promise<string> {
  try {
    return (await readRecords(db, site, [frame])).get(frame.id)?.html ?? ''
  } catch (error) {
    if (error instanceof AppError && error.code === 'frame_unreadable') return ''
    throw error
  }
}

// What an agent does to build a menu in four languages from a list, see what would change, apply exactly that, and undo it.
// Run it with WP_FRAMES_URL and WP_FRAMES_TOKEN, on a site with Polylang: npx tsx docs/agent-session.ts 2
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

const { WP_FRAMES_URL: url, WP_FRAMES_TOKEN: token } = process.env
const site_id = Number(process.argv[2] ?? 2)
/** The list: pages by the path of their English version. */
const LIST = ['home', 'about-us']
const LOCATION = 'footer_2'

const client = new Client({ name: 'agent-session', version: '1.0.0' })
await client.connect(
  new StreamableHTTPClientTransport(new URL(`${url}/mcp?tools=all`), {
    requestInit: { headers: { Authorization: `Bearer ${token}` } },
  }),
)

/** Calls a tool, and prints what it is sent. */
async function call(name: string, sent: Record<string, unknown>) {
  console.log(`\n> ${name} ${JSON.stringify(sent)}`)
  const result = await client.callTool({ name, arguments: sent })
  if (result.isError) throw new Error(JSON.stringify(result.content))
  // biome-ignore lint/suspicious/noExplicitAny: the response of the endpoint, as the reference describes it
  return JSON.parse(textOf(result).split('\n')[2] ?? '') as any
}

/** The data is the third line of a result, between two equal lines. */
const textOf = ({ content }: { content: unknown }): string => Object(content)[0].text

/** Prints what a plan would do. */
function show({
  diffs,
}: {
  diffs: { action: string; kind: string; name: string; diff: string }[]
}) {
  for (const { action, kind, name, diff } of diffs) {
    console.log(`${action} ${kind} ${JSON.stringify(name)}`)
    for (const line of diff.split('\n')) console.log(`    ${line}`)
  }
}

const showMenus = async () => {
  const { menus } = await call('list_menus', { site_id })
  for (const { name, assigned } of menus) {
    const at = assigned.filter(({ location }: { location: string }) => location === LOCATION)
    for (const { lang } of at) console.log(`${LOCATION} (${lang}): ${name}`)
  }
}

const { tools } = await client.listTools()
console.log(`The server offers ${tools.length} tools.`)

const { items: languages } = await call('get_data', { site_id, source: 'languages' })
for (const { slug, name } of languages) console.log(`${slug}: ${name}`)

const { pages } = await call('list_pages', { site_id, lang: 'en' })
const listed = LIST.map((path) => pages.find((page: { path: string }) => page.path === path))
for (const { path, title, translations } of listed)
  console.log(`${path}: ${title}, in ${Object.keys(translations).join(', ')}`)

// One menu for each language, with the translations that exist.
const requests = languages.map(({ slug: lang, name }: { slug: string; name: string }) => ({
  method: 'POST',
  path: '/menus',
  body: {
    name: `Service ${name}`,
    slug: `service-${lang}`,
    location: LOCATION,
    lang,
    items: listed.flatMap(({ translations }) => translations[lang] ?? []),
  },
}))
const plan = await call('run_batch', { site_id, requests })
show(plan)
console.log('\nNothing is stored yet:')
await showMenus()

const applied = await call('apply_planned_write', { plan_id: plan.plan_id })
console.log(`applied, as request ${applied.request_id}`)
await showMenus()

const back = await call('restore_site', { site_id, request_id: applied.request_id })
show(back)
await call('apply_planned_write', { plan_id: back.plan_id })
await showMenus()
await client.close()

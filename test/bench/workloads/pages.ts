import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Ask, ask } from '../contender.ts'

import { embed, markup, putFrames, putMenu } from '../setup/content.ts'
import { type BenchSetup, read, type Workload } from './workload.ts'

/** The page "Chapter 1" of the test network's site. */
const PAGE = { id: 7, path: '/guide/chapter-1/' }
const PAGE_VIEW: Ask = { at: 'front', path: PAGE.path, anonymous: true }
const PARTS = Array.from({ length: 20 }, (_, index) => `part-${index}`)
/** WordPress shows the same page in its own theme. */
const CONTENDERS: Workload['contenders'] = {
  service: 'status',
  wordpress: 'status',
  cached: 'status',
}

export const pages: readonly Workload[] = [
  read(
    'page-static',
    'page from its static copy',
    async (setup) => {
      await putPageOnFrame(setup)
      return PAGE_VIEW
    },
    { contenders: CONTENDERS, targets: { wordpress: 60 } },
  ),
  read(
    'page-rendered',
    'page rendered on request',
    async (setup) => {
      await putPageOnFrame(setup)
      const { staticDir, database } = setup
      const { domain, path } = database.site
      await rm(join(staticDir, domain, path, PAGE.path), { recursive: true })
      return PAGE_VIEW
    },
    { contenders: CONTENDERS, targets: { wordpress: 18 } },
  ),
]

/** Creates a page of 20 frames that each print its title, its content, and a menu of 50 items in which it is the current item. */
async function putPageOnFrame(setup: BenchSetup): Promise<void> {
  await putMenu(setup.database, 'header', 50)
  await putFrames(setup.database, [
    ...PARTS.map((slug) => ({
      slug,
      html: `<h2 data-op-bind="page.title"></h2>${markup(slug, 200)}`,
    })),
    {
      slug: 'page',
      html: `<!doctype html>
<html><head><title data-op-bind="page.title"></title></head><body>
<nav><!-- svc/menu {"location":"header","current":true} /--></nav>
<h1 data-op-bind="page.title"></h1><!-- svc/content /-->
${PARTS.map(embed).join('\n')}
</body></html>`,
    },
  ])
  await ask(setup.service, {
    method: 'POST',
    path: '/frames/page/assign',
    body: { page: PAGE.id },
  })
}

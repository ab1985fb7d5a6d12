import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Ask, send } from '../contender.ts'
import { embed, markup, putFrames } from '../stage/put-frames.ts'
import { putMenu } from '../stage/put-menu.ts'
import type { Stage } from '../stage/stage.ts'
import { read, type Workload } from './workload.ts'

/** "Chapter 1" of the demo network's site. */
const PAGE = { id: 7, path: '/guide/chapter-1/' }
const VISIT: Ask = { at: 'front', path: PAGE.path, anonymous: true }
const PARTS = Array.from({ length: 20 }, (_, index) => `part-${index}`)

export const pages: readonly Workload[] = [
  read(
    'page-static',
    'page from its static copy',
    async (stage) => {
      await standOnFrame(stage)
      return VISIT
    },
    {
      contenders: { service: 'bytes', floor: 'bytes', wordpress: 'status', cached: 'status' },
      targets: { wordpress: 60, floor: 0.6 },
    },
  ),
  read(
    'page-rendered',
    'page rendered on request',
    async (stage) => {
      await standOnFrame(stage)
      const { staticDir, database } = stage
      const { domain, path } = database.site
      await rm(join(staticDir, domain, path, PAGE.path), { recursive: true })
      return VISIT
    },
    { contenders: { service: 'status', wordpress: 'status', cached: 'status' }, targets: {} },
  ),
]

/** A page of 20 frames that each print its title, its content, and a menu of 50 items in which it is marked. */
async function standOnFrame(stage: Stage): Promise<void> {
  await putMenu(stage, 'header', 50)
  await putFrames(stage.database, [
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
  const { status, body } = await send(stage.service, {
    method: 'POST',
    path: '/frames/page/assign',
    body: { page: PAGE.id },
  })
  if (status !== 200) throw new Error(`the page was answered ${status}: ${body}`)
}

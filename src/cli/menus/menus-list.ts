import type { Command } from 'commander'
import { formatLocation, readableSlug } from '../../menus/portable-menu.ts'
import type { AnswerOf } from '../call-endpoint.ts'
import type { CliContext } from '../cli-context.ts'
import { listMenusEndpoint } from '../endpoints.ts'
import type { List } from '../list-output.ts'
import { siteListCommand } from '../sites/list-command.ts'

type ListedMenu = AnswerOf<typeof listMenusEndpoint>['menus'][number]

/** The slugs of most locales are made in the same way; others are shown as they are stored. */
const NO_LOCALE = ''

const MENUS: List<ListedMenu> = {
  id: 'id',
  shown: ['id', 'name', 'slug', 'items', 'locations'],
  others: ['assigned'],
  cells: {
    slug: ({ slug }) => readableSlug(slug, NO_LOCALE),
    locations: ({ assigned }) =>
      assigned
        .map(({ location, lang }) => formatLocation({ location, lang: lang ?? undefined }))
        .join(', '),
  },
}

/** `menus list`: lists the menus of a site by name, with their locations. */
export const listMenusCommand = (context: CliContext): Command =>
  siteListCommand(context, {
    noun: 'menu',
    endpoint: listMenusEndpoint,
    fields: MENUS,
    rowsOf: ({ menus }) => menus,
    examples: [
      'wp-frames menus list --site 2',
      'wp-frames menus list --network --format csv',
      'wp-frames menus list --site net.test/shop --fields id,name',
    ],
  })

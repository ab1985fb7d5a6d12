import { API_SENTENCES } from '../api/domain-error-sentences.ts'
import type { DomainErrorSentences } from '../errors.ts'

/** What operators read of each kind of domain error: the sentences of the API, except those that name fields of requests and responses. */
export const CLI_SENTENCES: DomainErrorSentences = {
  ...API_SENTENCES,
  ambiguous_page: ({ ref, total, candidates }) =>
    `${total} pages match "${ref}": ${candidates.map(({ id, path }) => `${path} (${id})`).join(', ')}${candidates.length < total ? ', ...' : ''}. Name one by its id or its full path.`,
  menu_deleted: ({ ref }) => `The menu "${ref}" was deleted while this command ran.`,
  theme_option_invalid: ({ length }) =>
    `The site's option "stylesheet" is not the name of a theme folder (${length} characters), so no option stores its locations. Choose a theme in WordPress.`,
  theme_spelling: ({ theme, spelling }) => `The theme "${theme}" must be spelled "${spelling}".`,
  menu_name_missing: () => 'The menu has no name.',
  menu_name_too_long: ({ limit, unit }) =>
    `The name of the menu must have at most ${limit} ${unit}.`,
  items_malformed: () => 'Some items are malformed, so nothing was written.',
  items_unresolved: () =>
    'Some items name a page that does not exist or is ambiguous, so nothing was written.',
  items_unpublished: () => 'Some items link a page that is not published, so nothing was written.',
  polylang_inactive: () => 'Polylang is not active on this site, so its menus have no languages.',
}

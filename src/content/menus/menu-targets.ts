import type { Db } from '../../db/database.ts'
import { escapeLike, readRows, searchable } from '../../db/sql.ts'
import { specialChars } from '../../wordpress/formatting/entities.ts'
import { escapeSlugPart } from '../../wordpress/formatting/slugs.ts'
import type { Language } from '../../wordpress/languages/languages.ts'
import { untitled } from '../../wordpress/nav-menus/item-content.ts'
import { readTerms } from '../../wordpress/nav-menus/read-terms.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { readPosts } from '../../wordpress/pages/posts.ts'
import type { LinkSettings } from '../../wordpress/permalinks/link-settings.ts'
import { archiveUrl, postUrl, termUrl } from '../../wordpress/permalinks/urls.ts'

/** What an item of a menu can link besides an address, in the fields in which an item is written. */
export type FoundTarget = {
  readonly type: 'post_type' | 'taxonomy' | 'post_type_archive'
  /** The post type or the taxonomy. */
  readonly object: string
  /** 0 for an archive. */
  readonly object_id: number
  /** As stored, HTML. */
  readonly title: string
  readonly url: string
  /** Code of its language; null for none. */
  readonly lang: string | null
}

export type TargetSearch = {
  /** Part of the title, the name or the slug, or the id; '' for all. */
  readonly text: string
  /** Only objects of this language, and those without one. */
  readonly language: Language | undefined
  /** Of each kind. */
  readonly limit: number
}

/** Post types of WordPress itself that have no page of their own. Only PHP knows those of plugins. */
const HIDDEN_TYPES = [
  'revision',
  'nav_menu_item',
  'custom_css',
  'customize_changeset',
  'oembed_cache',
  'user_request',
  'wp_block',
  'wp_template',
  'wp_template_part',
  'wp_global_styles',
  'wp_navigation',
  'wp_font_family',
  'wp_font_face',
  'wp_sync_storage',
  'polylang_mo',
]

/** Taxonomies of WordPress and Polylang without pages of their own. */
const HIDDEN_TAXONOMIES = [
  'nav_menu',
  'link_category',
  'post_format',
  'wp_theme',
  'wp_template_part_area',
  'wp_pattern_category',
  'language',
  'term_language',
  'post_translations',
  'term_translations',
]

/**
 * Finds published posts of all types, terms and archives, in six statements. Pages come first, then other posts by type, terms by name and
 * archives.
 */
export async function findTargets(
  db: Db,
  site: Site,
  links: LinkSettings,
  { text, language, limit }: TargetSearch,
): Promise<FoundTarget[]> {
  const searched = text.trim()
  const values = {
    ...site.tables,
    types: HIDDEN_TYPES,
    taxonomies: HIDDEN_TAXONOMIES,
    text: `%${escapeLike(searched)}%`,
    encoded: `%${escapeLike(specialChars(searched, 'keep'))}%`,
    slug: `%${escapeLike(escapeSlugPart(searched))}%`,
    id: /^\d{1,15}$/.test(searched) ? Number(searched) : 0,
    limit,
    own: language?.slug ?? '',
    ownOfTerms: `pll_${language?.slug ?? ''}`,
  }
  const [posts, terms, types] = await Promise.all([
    readRows<{ ID: number }>(
      db,
      // What a result is ordered by is read, so that a kept result follows a change of the order.
      `SELECT p.ID, p.post_type, p.post_type <> 'page' AS is_other FROM :posts: p
        WHERE p.post_status = 'publish' AND p.post_type NOT IN (:types)
          AND (${searchable('p.post_title')} LIKE :text OR ${searchable('p.post_title')} LIKE :encoded
            OR ${searchable('p.post_name')} LIKE :slug OR p.ID = :id)
          AND ${inLanguage('p.ID', "'language'", ':own')}
        ORDER BY is_other, p.post_type, p.ID LIMIT :limit`,
      values,
    ),
    readRows<{ term_id: number }>(
      db,
      `SELECT t.term_id, t.name FROM :terms: t JOIN :termTaxonomy: own_tt ON own_tt.term_id = t.term_id
        WHERE own_tt.taxonomy NOT IN (:taxonomies)
          AND (${searchable('t.name')} LIKE :text OR ${searchable('t.name')} LIKE :encoded
            OR ${searchable('t.slug')} LIKE :slug)
          AND ${inLanguage('t.term_id', "'term_language'", ':ownOfTerms')}
        ORDER BY t.name, t.term_id LIMIT :limit`,
      values,
    ),
    readRows<{ post_type: string }>(
      db,
      `SELECT DISTINCT post_type FROM :posts:
        WHERE post_status = 'publish' AND post_type NOT IN (:types) AND post_type NOT IN ('page', 'attachment')
          AND ${searchable('post_type')} LIKE :text ORDER BY post_type LIMIT :limit`,
      values,
    ),
  ])
  const ids = posts.map(({ ID }) => ID)
  const termIds = terms.map(({ term_id }) => term_id)
  const [foundPosts, foundTerms] = await Promise.all([
    readPosts(db, site, links.languages, { ids }),
    readTerms(db, site, links.languages, { ids: termIds }),
  ])
  return [
    ...ids.flatMap((id): FoundTarget[] => {
      const post = foundPosts.get(id)
      if (!post) return []
      const { type: object, lang } = post
      const title = post.title || untitled(id)
      return [{ type: 'post_type', object, object_id: id, title, url: postUrl(links, post), lang }]
    }),
    ...termIds.flatMap((id): FoundTarget[] =>
      foundTerms
        .filter((term) => term.id === id && !HIDDEN_TAXONOMIES.includes(term.taxonomy))
        .map((term) => ({
          type: 'taxonomy',
          object: term.taxonomy,
          object_id: id,
          title: term.name || untitled(id),
          url: termUrl(links, term),
          lang: term.lang,
        })),
    ),
    ...types.map(
      ({ post_type: object }): FoundTarget => ({
        type: 'post_type_archive',
        object,
        object_id: 0,
        title: object,
        url: archiveUrl(links, object, language?.slug ?? null),
        lang: null,
      }),
    ),
  ]
}

/** The object has the language, or none; always true for an empty code. */
const inLanguage = (id: string, taxonomy: string, code: string): string =>
  `(${code} IN ('', 'pll_') OR NOT EXISTS (
      SELECT 1 FROM :termRelationships: r JOIN :termTaxonomy: tt ON tt.term_taxonomy_id = r.term_taxonomy_id
      JOIN :terms: l ON l.term_id = tt.term_id
      WHERE r.object_id = ${id} AND tt.taxonomy = ${taxonomy} AND l.slug <> ${code}))`

import type {
  MenuChoice,
  MenuItemValue,
  MenuValue,
  SwitcherValue,
} from '../../../content/markup/evaluation/values.ts'
import { normalizeAddress } from '../../../content/markup/menus/menu-entries.ts'
import type { Db } from '../../../db/database.ts'
import { mapYielding } from '../../../host/concurrency/for-each.ts'
import { AppError } from '../../../host/errors.ts'
import type { Languages } from '../../../wordpress/languages/languages.ts'
import { getMenu } from '../../../wordpress/nav-menus/find-menu.ts'
import {
  type LocationMaps,
  shownMenuId,
  translatedMenuId,
} from '../../../wordpress/nav-menus/location-maps.ts'
import { type MenuItem, visibleItems } from '../../../wordpress/nav-menus/menu-item.ts'
import { linkItems, type StoredMenu } from '../../../wordpress/nav-menus/read-menu.ts'
import { isFlagSet, newLayout } from '../../../wordpress/nav-menus/switcher.ts'
import type { Site } from '../../../wordpress/network/site.ts'
import type { Post } from '../../../wordpress/pages/posts.ts'
import type { LinkSettings } from '../../../wordpress/permalinks/link-settings.ts'
import { homeUrl, postUrl } from '../../../wordpress/permalinks/urls.ts'
import { switcherLanguages } from './site-source.ts'

/** The site's data that menus depend on. */
export type MenuContext = {
  readonly links: LinkSettings
  /** The option `page_on_front`, also of a site whose front page shows posts; 0 for none. */
  readonly frontPageId: number
  /** The privacy policy page in the language of the page that shows the menu, if any. */
  readonly privacyPage: Post | undefined
}

/** Reads a menu as visitors see it in a language (wp_nav_menu). */
export async function readMenuValue(
  db: Db,
  site: Site,
  context: MenuContext,
  stored: StoredMenu,
  lang: string | null,
): Promise<MenuValue> {
  const { links } = context
  const { menu, items } = await linkItems(db, site, links, stored, lang)
  const shown = visibleItems(menu, items)
  const hasSwitcher = shown.some(({ switcher }) => switcher !== null)
  const privacyUrl = hasSwitcher ? privacyUrlOf(context) : undefined
  return {
    id: menu.id,
    name: menu.name,
    slug: menu.slug,
    home: homeUrl(links, lang),
    hasSwitcher,
    ...(privacyUrl === undefined ? {} : { privacyUrl }),
    items: await mapYielding(shown, (item) => itemValue(item, context, lang)),
  }
}

/** The id of the menu that visitors see for a choice in a language; 0 if there is none. */
export async function chosenMenuId(
  db: Db,
  site: Site,
  { languages, maps }: { readonly languages: Languages; readonly maps: LocationMaps },
  { location, menu }: MenuChoice,
  lang: string | null,
): Promise<number> {
  if (menu === undefined) return shownMenuId(maps, languages, location ?? '', lang)
  try {
    const { id } = await getMenu(db, site, menu, {}, languages)
    return translatedMenuId(maps, id, lang)
  } catch (error) {
    if (error instanceof AppError) return 0
    throw error
  }
}

/** The URL of the published privacy policy page (get_privacy_policy_url, link-template.php). */
function privacyUrlOf({ links, privacyPage }: MenuContext): string | undefined {
  return privacyPage?.status === 'publish' ? postUrl(links, privacyPage) : undefined
}

function itemValue(item: MenuItem, context: MenuContext, lang: string | null): MenuItemValue {
  const { links } = context
  const linksPolicy = item.url === privacyUrlOf(context)
  return {
    id: item.id,
    parent: item.parent,
    title: item.title,
    url: item.url,
    type: item.type,
    object: item.object,
    objectId: item.objectId,
    target: item.target,
    classes: item.classes,
    attrTitle: item.attr_title,
    xfn: [item.xfn, linksPolicy ? 'privacy-policy' : ''].filter(Boolean).join(' '),
    marks: marksOf(item, context, lang),
    switcher: item.switcher && switcherValue(item.switcher, links),
  }
}

/** Finds the front page and the privacy policy in the menu's language as `_wp_menu_item_classes_by_context` does. */
function marksOf(
  { type, object, objectId, url }: MenuItem,
  { links, frontPageId, privacyPage }: MenuContext,
  lang: string | null,
): MenuItemValue['marks'] {
  if (type === 'post_type') {
    const front = links.front.translations.get(lang ?? '')?.id ?? frontPageId
    return [
      ...(front > 0 && objectId === front ? (['home'] as const) : []),
      ...(objectId === privacyPage?.id ? (['privacy-policy'] as const) : []),
    ]
  }
  const isHome = normalizeAddress(url) === normalizeAddress(homeUrl(links, lang))
  return object === 'custom' && isHome ? ['home'] : []
}

function switcherValue(
  settings: NonNullable<MenuItem['switcher']>,
  links: LinkSettings,
): SwitcherValue {
  return {
    dropdown: isFlagSet(settings, 'dropdown'),
    hideCurrent: isFlagSet(settings, 'hide_current'),
    hideUntranslated: isFlagSet(settings, 'hide_if_no_translation'),
    forceHome: isFlagSet(settings, 'force_home'),
    layout: newLayout(settings, links.languages.settings.printsLayouts),
    languages: switcherLanguages(links),
  }
}

/** The prefix of the options with the modifications of a theme (get_theme_mods, theme.php). */
export const THEME_MODS_PREFIX = 'theme_mods_'

/**
 * The name of the option with a theme's modifications, among them the menus of its locations.
 * @param theme the theme's `stylesheet`, the name of its folder
 */
export function themeModsOption(theme: string): string {
  return `${THEME_MODS_PREFIX}${theme}`
}

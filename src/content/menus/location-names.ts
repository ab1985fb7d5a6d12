/** The locations to which a menu can be assigned. */
export const LOCATIONS = ['header', 'footer_1', 'footer_2', 'footer_3'] as const

/** Whether a text can be a theme's `stylesheet`, its folder name. An option name has 191 characters, including `theme_mods_`. */
export function isThemeName(text: string): boolean {
  return /^[^\p{Cc}\p{Cs}\u{10000}-\u{10ffff}]{1,180}$/u.test(text)
}

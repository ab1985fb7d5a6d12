/** A place as people read it and `--location` takes it: `header`, `header:fr`; with its theme where that is not the site's own. */
export function formatLocation({
  location,
  lang,
  theme,
}: {
  readonly location: string
  readonly lang?: string | undefined
  readonly theme?: string | undefined
}): string {
  const at = lang === undefined ? location : `${location}:${lang}`
  return theme === undefined ? at : `${at} of the theme ${theme}`
}

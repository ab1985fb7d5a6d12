import type { Params } from '../../markup/nodes.ts'
import type { MenuChoice } from '../values.ts'

/** The menu that the parameters of an `svc/menu` name: `location`, or `menu` by id or slug; in `lang`, if given. */
export function menuChoice({ location, menu, lang }: Params): MenuChoice | undefined {
  const language = typeof lang === 'string' && lang !== '' ? { lang } : {}
  if (typeof menu === 'string' || typeof menu === 'number')
    return { menu: String(menu), ...language }
  if (typeof location === 'string') return { location: location.trim(), ...language }
  return undefined
}

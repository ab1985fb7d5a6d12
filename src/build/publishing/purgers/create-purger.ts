import type { PurgerSetting } from '../../../host/config/cache-purge.ts'
import type { Timings } from '../../../host/timings.ts'
import { cloudflare } from './cloudflare.ts'
import { cloudFront } from './cloudfront.ts'
import { fastly } from './fastly.ts'
import type { TagPurger } from './tag-purger.ts'
import { varnishBan } from './varnish-ban.ts'
import { varnishXkey } from './varnish-xkey.ts'

/** The purger of a setting. The only code that knows which ones there are. */
export function createPurger(setting: PurgerSetting, timings: Timings['publishing']): TagPurger {
  switch (setting.kind) {
    case 'xkey':
      return varnishXkey(setting.url, timings)
    case 'ban':
      return varnishBan(setting.url, timings)
    case 'fastly':
      return fastly(setting, timings)
    case 'cloudflare':
      return cloudflare(setting, timings)
    case 'cloudfront':
      return cloudFront(setting, timings)
  }
}

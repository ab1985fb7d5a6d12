import type { PurgerSetting } from '../../config/cache-purge.ts'
import { bunny } from './bunny.ts'
import { cloudflare } from './cloudflare.ts'
import { cloudFront } from './cloudfront.ts'
import { fastly } from './fastly.ts'
import type { TagPurger } from './tag-purger.ts'
import { varnishBan } from './varnish-ban.ts'
import { varnishXkey } from './varnish-xkey.ts'

/** The purger of a setting. The only code that knows which ones there are. */
export function createPurger(setting: PurgerSetting): TagPurger {
  switch (setting.kind) {
    case 'xkey':
      return varnishXkey(setting.url)
    case 'ban':
      return varnishBan(setting.url)
    case 'fastly':
      return fastly(setting)
    case 'cloudflare':
      return cloudflare(setting)
    case 'bunny':
      return bunny(setting)
    case 'cloudfront':
      return cloudFront(setting)
  }
}

import { describe, expect, it } from 'vitest'
import { examineSite } from '../../src/network/doctor/examine.ts'
import { useFront } from '../support/front.ts'
import { setOption } from '../support/network.ts'
import { openTestService } from '../support/service.ts'

/**
 * Polylang is loaded from `mu-plugins`, a folder of any name, a theme or another plugin: no option lists it.
 * Right: WordPress lists in `active_plugins` and `active_sitewide_plugins` only what it activated itself (`wp_get_active_and_valid_plugins()`),
 * and a deactivated Polylang leaves its terms and options. So an option decides, and the doctor says what the rewrite rules tell.
 */
describe('Polylang that no list names', async () => {
  const front = await useFront({ staticDir: undefined })
  const { network } = front
  const site = await network.site(2)
  await front.frame(2, 'page', '<h1 data-op-bind="page.id"></h1>')
  await front.assign(2, 'page', [9])
  const german = async () => [
    (await front.ask('http://net.test/shop/de/uber-uns/')).status,
    (await front.ask('http://net.test/shop/uber-uns/')).status,
  ]
  const store = async (rows: Readonly<Record<string, string>>) => {
    for (const [name, value] of Object.entries({
      active_plugins: 'a:0:{}',
      svc_polylang: 'auto',
      rewrite_rules: '',
      ...rows,
    }))
      await setOption(network, 2, name, value)
  }
  const storeNetwork = async (meta_key: string, meta_value: string) => {
    await network.db.sql(site.globals.sitemeta).where({ site_id: 1, meta_key }).delete()
    await network.db.sql(site.globals.sitemeta).insert({ site_id: 1, meta_key, meta_value })
  }
  const services = { ...(await openTestService(network)), now: () => new Date() }
  const findings = async () => {
    const found = await examineSite(services, site)
    return found
      .filter(({ check }) => check.startsWith('polylang_'))
      .map(({ check, severity }) => `${severity} ${check}`)
  }

  const LANGUAGE_RULES =
    'a:1:{s:17:"(fr|de|ar)/(.+?)/";s:40:"index.php?lang=$matches[1]&page=$matches";}'
  const OTHER_RULES = 'a:1:{s:5:"(.+?)";s:31:"index.php?pagename=$matches[1]";}'
  const WITH = [200, 301]
  const WITHOUT = [404, 200]

  it.each([
    ['a:1:{i:0;s:21:"polylang/polylang.php";}', WITH],
    ['a:1:{i:0;s:28:"polylang-master/polylang.php";}', WITH],
    ['a:1:{i:3;s:21:"Polylang/polylang.php";}', WITH],
    ['a:1:{i:0;s:25:"polylang-pro/polylang.php";}', WITH],
    ['a:0:{}', WITHOUT],
    ['a:1:{i:0;s:12:"polylang.php";}', WITHOUT],
  ])('the list %s decides by itself', async (active_plugins, expected) => {
    await store({ active_plugins })
    expect(await german()).toEqual(expected)
  })

  it.each([
    ['always', 'a:0:{}', WITH],
    ['never', 'a:1:{i:0;s:21:"polylang/polylang.php";}', WITHOUT],
    ['auto', 'a:1:{i:0;s:21:"polylang/polylang.php";}', WITH],
    ['', 'a:0:{}', WITHOUT],
    ['yes', 'a:0:{}', WITHOUT],
  ])('svc_polylang = %s precedes the list %s', async (svc_polylang, active_plugins, expected) => {
    await store({ svc_polylang, active_plugins })
    expect(await german()).toEqual(expected)
    const says = ['always', 'never'].includes(svc_polylang)
    if (says) expect(await findings()).toEqual([])
  })

  it('the option of the network holds for sites without one', async () => {
    await store({})
    await storeNetwork('svc_polylang', 'always')
    expect(await german()).toEqual(WITH)
    await store({ svc_polylang: 'never' })
    expect(await german()).toEqual(WITHOUT)
    await storeNetwork('svc_polylang', 'auto')
    await storeNetwork('active_sitewide_plugins', 'a:1:{s:21:"polylang/polylang.php";i:1;}')
    await store({})
    expect(await german()).toEqual(WITH)
    await storeNetwork('active_sitewide_plugins', 'a:0:{}')
  })

  it.each([
    [{ rewrite_rules: LANGUAGE_RULES }, ['error polylang_unlisted']],
    [{ rewrite_rules: OTHER_RULES }, ['info polylang_unlisted']],
    [{ rewrite_rules: '' }, ['warning polylang_unlisted']],
    [
      { rewrite_rules: OTHER_RULES, active_plugins: 'a:1:{i:0;s:21:"polylang/polylang.php";}' },
      ['warning polylang_unloaded'],
    ],
    [
      { rewrite_rules: LANGUAGE_RULES, active_plugins: 'a:1:{i:0;s:21:"polylang/polylang.php";}' },
      [],
    ],
  ])('the doctor says what the rewrite rules tell: %j', async (rows, expected) => {
    await store(rows)
    expect(await findings()).toEqual(expected)
  })
})

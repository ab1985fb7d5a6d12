import { expect, it } from 'vitest'
import { describeWith } from '../support/describe-with.ts'
import { askServer, useWebServers, WEB_SERVERS } from '../support/web-servers.ts'

/** `WP::$public_query_vars` of WordPress 7.1, those that it adds, and what it reads from `$_GET` for visitors. */
const KNOWN =
  `m p posts w cat withcomments withoutcomments s search exact sentence calendar page paged more tb pb author order orderby
year monthnum day hour minute second name category_name tag feed author_name pagename page_id error attachment attachment_id subpost
subpost_id preview robots favicon taxonomy term cpage post_type embed
post_format lang sitemap sitemap-subtype sitemap-stylesheet rest_route
preview_id preview_nonce _thumbnail_id customize_changeset_uuid customize_theme customize_messenger_channel customize_autosaved
wp_customize wp_scrape_key wp_scrape_nonce wp_theme_preview _wp-find-template doing_wp_cron replytocom unapproved moderation-hash
query-page query-3-page`.split(/\s+/)

/**
 * Links of advertisements and newsletters have parameters of which new ones appear each year.
 * Right: WordPress 7.1, `WP::parse_request()`: only public query variables change the page. PHP's `php_register_variable_ex()` reads their
 * names: decoded, without blanks before them, up to NUL or `[`, and with `_` for a dot or a blank.
 */
describeWith('nginx', 'parameters of addresses', async () => {
  const { fronts, ports } = await useWebServers()
  for (const front of fronts) {
    await front.frame(2, 'page', '<h1 data-op-bind="page.id"></h1>')
    await front.assign(2, 'page', [7, 13])
  }
  const ask = (server: string, query: string) =>
    askServer(ports.get(server) ?? 0, `/shop/about-us/?${query}`)

  it.each([
    'gclid=x',
    'utm_source=a&utm_medium=b',
    'utm_source=a&wbraid=b',
    'gad_source=1&gbraid=0AAA',
    'srsltid=AfmBOo',
    '_gl=1*abc',
    'gclid=x&gad_campaignid=1',
    'mc_eid=1&_hsenc=p2&ttclid=3&li_fat_id=4',
    'ref=p&pk_campaign=m',
    'utm_source',
    'UTM_Source=a',
    'utm-source=p',
    'utm%5Fsource=a',
    'utm%2Dsource=a',
    'amp;utm_source=a',
    'P=13',
    'PAGE_ID=13',
    'pp=1',
    'xp=1',
    'p-=1',
    'page-id=13',
    'pageXid=13',
    'q=p=13',
    'q=?p=13',
    'q=%26p=13',
    'x[p]=13',
    'unknown[]=1',
    'n%C3%A4me=1',
    '',
    '&',
    '&&=&',
    '1234567',
    'post',
    'lang1=2',
    'query-page-3=1',
  ])('?%s: the copy', async (query) => {
    for (const server of WEB_SERVERS) {
      const { status, text } = await ask(server, query)
      expect([server, status, text]).toEqual([server, 200, '<h1>7</h1>'])
    }
  })

  it.each([
    ...KNOWN.map((name) => `${name}=1`),
    'p=13',
    'p',
    'p=',
    'p[]=13',
    'p%5B%5D=13',
    'p%5b0%5d=13',
    'p%00x=13',
    '%70=13',
    'page%5Fid=13',
    'page%5fid=13',
    'page.id=13',
    'page%2Eid=13',
    'page+id=13',
    'page%20id=13',
    'page[id=13',
    '+p=13',
    '%20%20p=13',
    'p%61ge_id=13',
    '%50age=1',
    '%73=a',
    'utm_source=a&s=b',
    'utm_source=a&p=13&gclid=b',
    'gclid&preview',
    '&p=13',
  ])('?%s: WordPress decides', async (query) => {
    const { text } = await ask('beside WordPress', query)
    expect(text).toBe('theme')
  })

  it.each([
    'p=13',
    'page_id=13',
    'page%5Fid=13',
    '%70=13',
    'utm_source=a&page_id=13',
    'pagename=legal',
    'p=x',
    'p',
  ])('?%s: the front decides, behind each web server', async (query) => {
    const expected = await ask('front', query)
    expect(expected.status).toBe(301)
    for (const server of ['before the front', 'before the store']) {
      const { status, headers } = await ask(server, query)
      expect([server, status, headers.location]).toEqual([server, 301, expected.headers.location])
    }
  })
})

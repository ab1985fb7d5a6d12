import { describe, expect, it } from 'vitest'
import { useApi } from '../support/api.ts'

/**
 * Labels of menu items, and titles of what they link, contain markup: icons, `<sub>`, emphasis.
 * Right: WordPress 7.1, `Walker_Nav_Menu::start_el()` prints the title as it is stored. Scripts and handlers are not printed here, because
 * the stored text may be of anybody who may edit the menu's rows.
 */
describe('markup in menu labels', async () => {
  const { network, api } = await useApi()
  const { db } = network
  const { tables } = await network.site(3)
  const admin = await api.as('admin')
  const html = '<!-- svc/menu {"menu":"docs"} /-->'
  await admin.post('/site/3/frames').send({ slug: 'menu', html })
  const [id] = (await admin.get('/site/3/menus/docs')).body.items.map(
    (item: { id: number }) => item.id,
  )
  const labelOf = async (post_title: string) => {
    await db.sql(tables.posts).where({ ID: id }).update({ post_title })
    const { body } = await admin
      .post('/site/3/preview')
      .send({ page: 2, assign: 'menu', frames: [{ slug: 'menu', html: `${html} ` }] })
    return new RegExp(`menu-item-${id}"><a[^>]*>(.*?)</a>`).exec(body.html)?.[1]
  }

  it.each([
    [
      '<i class="fa fa-home"></i> H<sub>2</sub>O &amp; co',
      '<i class="fa fa-home"></i> H<sub>2</sub>O &amp; co',
    ],
    [
      'Markup: <em>With</em> <b>Mark<sup>up</sup></b>',
      'Markup: <em>With</em> <b>Mark<sup>up</sup></b>',
    ],
    ['<SPAN CLASS=icon>x</SPAN>', '<span class="icon">x</span>'],
    ['A<br>B<br/>C', 'A<br>B<br>C'],
    ['<img src="/a.png" alt="A">', '<img src="/a.png" alt="A">'],
    [
      '<span aria-hidden="true" title="a &quot;b&quot;">x</span>',
      '<span aria-hidden="true" title="a &quot;b&quot;">x</span>',
    ],
    ['Tom &amp; Jerry', 'Tom &amp; Jerry'],
    ['1 < 2', '1 &lt; 2'],
    ['a &lt;b&gt; c', 'a &lt;b&gt; c'],
  ])('%s', async (stored, printed) => {
    expect(await labelOf(stored)).toBe(printed)
  })

  it.each([
    ['<script>alert(1)</script>x', '&lt;script&gt;alert(1)&lt;/script&gt;x'],
    ['<b onclick="alert(1)">t</b>', '&lt;b onclick=&quot;alert(1)&quot;&gt;t&lt;/b&gt;'],
    ['<i><b style=x>t</b></i>', '<i>&lt;b style=x&gt;t&lt;/b&gt;</i>'],
    ['<img src=x onerror=alert(1)>', '&lt;img src=x onerror=alert(1)&gt;'],
    ['<img src=javascript:alert(1)>', '&lt;img src=javascript:alert(1)&gt;'],
    ['<img src="java&#115;cript:alert(1)">', '&lt;img src=&quot;javascript:alert(1)&quot;&gt;'],
    ['<svg onload=alert(1)>x</svg>', '&lt;svg onload=alert(1)&gt;x&lt;/svg&gt;'],
    ['<b>open', '&lt;b&gt;open'],
    ['closed</b>', 'closed&lt;/b&gt;'],
    ['<b><i>x</b></i>', '&lt;b&gt;&lt;i&gt;x&lt;/b&gt;&lt;/i&gt;'],
    ['<!-- x --><b>y</b>', '&lt;!-- x --&gt;<b>y</b>'],
    ['<div>x</div>', '&lt;div&gt;x&lt;/div&gt;'],
    ['<b title="</a><script>">x</b>', '<b title="&lt;/a&gt;&lt;script&gt;">x</b>'],
    ['<b', '&lt;b'],
    ['<b>a</b><i title=">x', '&lt;b&gt;a&lt;/b&gt;&lt;i title=&quot;&gt;x'],
    ['a<b>b</b>c<wbr', 'a&lt;b&gt;b&lt;/b&gt;c&lt;wbr'],
    ['<b title="', '&lt;b title=&quot;'],
    ['<iframe src=//x></iframe>', '&lt;iframe src=//x&gt;&lt;/iframe&gt;'],
    ['<i data-x=1>x</i>', '&lt;i data-x=1&gt;x&lt;/i&gt;'],
  ])('never runs, and never leaves its item: %s', async (stored, printed) => {
    expect(await labelOf(stored)).toBe(printed)
  })
})

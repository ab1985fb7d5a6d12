import { expect, it } from 'vitest'
import { useDoctorFixture } from '../doctor-fixture.ts'

const shop = await useDoctorFixture()

it('the doctor finds mistakes in markup with their line and column', async () => {
  await shop.publish(
    'mistaken',
    `<p>
<!-- svc/frmae {"name":"x"} /-->
<!-- svc/menu {location:"header"} /-->
<b data-op-bind="site.titel"></b><i data-op-bind="page.title"></i>`,
  )
  await shop.publish(
    'nowhere',
    '<!-- svc/menu {"location":"attic"} /--><p data-op-bind="dataset.attic.phone"></p>',
  )
  const found = await shop.examine('markup_problem')
  expect(found.map(({ severity }) => severity)).toEqual(found.map(() => 'warning'))
  expect(found.map(({ message }) => message)).toEqual([
    expect.stringMatching(
      /^The frame "mistaken": Line 2, column 1: Unknown insert svc\/frmae.*"frame"/,
    ),
    expect.stringMatching(
      /^The frame "mistaken": Line 3, column 1: The JSON of this svc\/menu is invalid/,
    ),
    expect.stringMatching(/^The frame "mistaken": The bind "site.titel" at line 4, column 1 /),
    expect.stringMatching(
      /^The frame "nowhere": The bind "dataset.attic.phone" at line 1, column 40 /,
    ),
    expect.stringMatching(/^The frame "nowhere": No menu is assigned to the location "attic"/),
  ])
  await shop.publish('mistaken', '<p></p>')
  await shop.publish('nowhere', '<p></p>')
  expect(await shop.examine('markup_problem')).toEqual([])
})

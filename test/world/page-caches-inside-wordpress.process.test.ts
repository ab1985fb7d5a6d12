import { execFile } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { describeWith } from '../support/describe-with.ts'
import { programPath } from '../support/programs.ts'
import { useFolder } from '../support/use.ts'

const run = promisify(execFile)
const PLUGIN = resolve(import.meta.dirname, '../../ops/wordpress/clear-page-cache.php')
const SECRET = Buffer.from('a secret of thirty-two bytes ...')

/** What the plugin uses of WordPress, for one request: its status and what was called are printed. */
const STUBS = `<?php
error_reporting(E_ALL);
[, $plugin, $asked] = $argv;
$asked = json_decode($asked, true);
if ($asked['secrets'] !== null) define('WP_FRAMES_SECRETS', $asked['secrets']);
$calls = [];
class WP_REST_Request {
  function __construct(private array $asked) {}
  function get_header($name) { return $this->asked['headers'][$name] ?? null; }
  function get_body() { return $this->asked['body']; }
}
class WP_Error { public $status; function __construct($code, $message, $data) { $this->status = $data['status']; } }
class WP_REST_Response { function __construct(public $data, public $status) {} }
function add_action($name, $callback) { $callback(); }
function register_rest_route($namespace, $route, $given) { global $options; $options = $given; }
function get_current_blog_id() { return 2; }
function wp_get_nav_menus() { return [(object) ['term_id' => 23], (object) ['term_id' => 24]]; }
function do_action($name, ...$more) { global $calls; $calls[] = [$name, ...$more]; }
function wp_cache_clear_cache() { global $calls; $calls[] = ['wp_cache_clear_cache']; }
require $plugin;
$answer = $options['callback'](new WP_REST_Request($asked));
echo json_encode([$answer->status, $calls]);
`

/**
 * A plugin that caches pages or menus inside WordPress shows the old menu after a write of the service.
 * Right: WordPress 7.1, `wp_update_nav_menu_object()` and `WP_REST_Menus_Controller` run `wp_update_nav_menu`, on which such plugins clear
 * their caches. Standard Webhooks, "Verifying signatures".
 */
describeWith('php', 'page caches inside WordPress', async () => {
  const folder = await useFolder('plugin')
  const stubs = join(folder, 'stubs.php')
  await writeFile(stubs, STUBS)

  type Asked = {
    key?: Buffer
    ageSeconds?: number
    secrets?: object | null
    sign?: (own: string) => string
  }
  async function deliver({
    key = SECRET,
    ageSeconds = 0,
    secrets,
    sign = (own) => own,
  }: Asked = {}) {
    const timestamp = String(Math.floor(Date.now() / 1000) - ageSeconds)
    const body = '{"type":"changes.changed","data":{"text":"ä"}}'
    const digest = createHmac('sha256', key).update(`msg_1.${timestamp}.${body}`).digest('base64')
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': timestamp,
      'webhook-signature': sign(`v1,${digest}`),
    }
    const own = { 2: `whsec_${SECRET.toString('base64')}` }
    const asked = JSON.stringify({ headers, body, secrets: secrets === undefined ? own : secrets })
    const { stdout } = await run(programPath('php'), [stubs, PLUGIN, asked])
    return JSON.parse(stdout)
  }

  it('the must-use plugin of the guide is PHP', async () => {
    const { stdout } = await run(programPath('php'), ['-l', PLUGIN])
    expect(stdout).toContain('No syntax errors')
  })

  it('a message clears the caches of menus and pages', async () => {
    const calls = [['wp_update_nav_menu', 23], ['wp_update_nav_menu', 24], ['wp_cache_clear_cache']]
    expect(await deliver()).toEqual([204, calls])
    expect(await deliver({ sign: (own) => `v1,AAAA ${own}` })).toEqual([204, calls])
  })

  it.each<[string, Asked]>([
    ['another secret', { key: Buffer.from('another') }],
    ['no signature', { sign: () => '' }],
    ['another version', { sign: (own) => own.replace('v1,', 'v1a,') }],
    ['an old message', { ageSeconds: 400 }],
    ['a message of the future', { ageSeconds: -400 }],
    ['a site without a secret', { secrets: { 3: 'whsec_AAAA' } }],
    ['a site without a secret, signed without a key', { secrets: {}, key: Buffer.alloc(0) }],
  ])('%s clears nothing', async (_, asked) => {
    expect(await deliver(asked)).toEqual([401, []])
  })
})

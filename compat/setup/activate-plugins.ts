import type { WordPress } from '../support/wordpress.ts'

type Plugin = { readonly file: string; readonly name: string; readonly version: string }

/**
 * Activates all plugins of PLUGINS_DIR on the whole network. A plugin may require others, so those that WordPress refuses are tried again
 * as long as others could be activated.
 * @returns a line with the versions of WordPress, PHP and the plugins
 * @throws Error that names the plugin that does not activate
 */
export async function activatePlugins(wordpress: WordPress, folder?: string): Promise<string> {
  const versions = await wordpress.ask<{ wordpress: string; php: string }>('versions')
  const plugins = folder === undefined ? [] : await wordpress.ask<Plugin[]>('plugins')
  if (folder !== undefined && plugins.length === 0)
    throw new Error(
      `PLUGINS_DIR contains no plugins: ${folder}. Set it to a folder like wp-content/plugins.`,
    )
  for (let waiting = plugins; waiting.length > 0; ) {
    const refused = new Map<Plugin, string>()
    for (const plugin of waiting) {
      const reason = await activate(wordpress, plugin)
      if (reason !== null)
        refused.set(plugin, `The plugin ${plugin.file} of PLUGINS_DIR does not activate: ${reason}`)
    }
    if (refused.size === waiting.length) throw new Error([...refused.values()].join('\n'))
    waiting = [...refused.keys()]
  }
  const names = plugins.map(({ name, version }) => `${name} ${version}`.trim())
  return `WordPress ${versions.wordpress}, PHP ${versions.php}, plugins: ${names.join(', ') || 'none'}`
}

/** @returns why the plugin is not active; null if it is */
async function activate(wordpress: WordPress, { file }: Plugin): Promise<string | null> {
  try {
    return await wordpress.ask<string | null>('activate_plugin', { file })
  } catch (error) {
    // PHP's message is followed by a stack trace.
    return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
  }
}

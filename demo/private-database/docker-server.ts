import { execFile } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { sha256Hex } from '../../src/host/hash.ts'
import type { PrivateServerOptions } from './private-server.ts'
import { type RunningServer, serverArgs, startOnFreePort } from './start-server.ts'

const COMPOSE_FILE = resolve(import.meta.dirname, '../../docker/compose.yaml')
const ENGINE_TIMEOUT_MS = 5000

const docker = (...args: string[]) =>
  promisify(execFile)('docker', args, { timeout: ENGINE_TIMEOUT_MS, killSignal: 'SIGKILL' })

/** Why Docker cannot be used; undefined if an engine runs and Compose is installed. */
export const findDockerObstacle = async (): Promise<string | undefined> => {
  try {
    await docker('version', '--format', '{{.Server.Version}}')
  } catch {
    return 'no Docker engine is running'
  }
  try {
    await docker('compose', 'version')
  } catch {
    return 'Docker Compose is not installed'
  }
  return undefined
}

/**
 * Starts MariaDB in a container with its own project and volume (`docker/compose.yaml`).
 *
 * @throws DatabaseServerError
 */
export const startDockerServer = async ({
  directory,
  password,
  durable,
  extraArgs,
  log,
}: PrivateServerOptions): Promise<RunningServer> => {
  // A volume opens only with the password that it was created with, so another password needs another project.
  const digest = sha256Hex(`${directory}\n${password}`)
  const project = `wp-frames-${digest.slice(0, 12)}`
  const environment = `${directory}.env`
  log(`Starting MariaDB with Docker (project ${project})`)
  try {
    return await startOnFreePort({
      directory,
      user: 'root',
      password,
      how: `MariaDB in Docker (project ${project})`,
      // The first start may have to download the image.
      timeoutSeconds: 600,
      command: (port) => {
        writeFileSync(
          environment,
          [
            `WP_FRAMES_DB_PASSWORD='${password}'`,
            `WP_FRAMES_DB_PORT=${port}`,
            `WP_FRAMES_DB_ARGS='${[...serverArgs(durable), ...extraArgs].join(' ')}'`,
          ].join('\n'),
          { mode: 0o600 },
        )
        return ['docker', 'compose', '--project-name', project, '--file', COMPOSE_FILE].concat([
          '--env-file',
          environment,
          'up',
        ])
      },
      // The engine keeps a container running when its client dies, so it is stopped explicitly.
      guard: { stop: `docker compose --project-name ${project} stop`, grace: 30 },
    })
  } finally {
    rmSync(environment, { force: true })
  }
}

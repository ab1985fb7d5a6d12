import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { EnvironmentSchema } from '../../src/host/config/config.ts'
import { ROOT, requiredVariables, textOf } from './compose-file.ts'

const matches = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, found = '']) => found)

const compose = textOf('docker/compose.production.yaml')

describe('compose.production.yaml', () => {
  it('sets only variables that the service reads', () => {
    const read = new Set(Object.keys(EnvironmentSchema.shape))
    const set = matches(compose, /^ {2,6}([A-Z_]+): /gm)
    expect(set).toContain('DATABASE_URL')
    expect(set.filter((name) => !read.has(name))).toEqual([])
  })

  it('passes every variable of the service that is not for commands', () => {
    const set = new Set(matches(compose, /^ {2,6}([A-Z_]+): /gm))
    // The images have their own: the folder, and the ports that are published.
    const fixed = ['STATIC_DIR', 'HOST', 'PORT', 'FRONT_PORT']
    // These are files in a container, or profiles of a developer's machine.
    const local = ['AWS_SHARED_CREDENTIALS_FILE', 'AWS_PROFILE', 'XDG_CONFIG_HOME']
    const names = Object.keys(EnvironmentSchema.shape).filter(
      (name) => !name.startsWith('WP_FRAMES_') && ![...fixed, ...local].includes(name),
    )
    expect(names.filter((name) => !set.has(name))).toEqual([])
  })

  it('reads only variables that the example contains', () => {
    const named = new Set(matches(textOf('docker/production.env.example'), /^#?([A-Z_]+)=/gm))
    const used = matches(compose, /\$\{([A-Z_]+)/g)
    expect(used.filter((name) => !named.has(name))).toEqual([])
  })

  it('requires only variables that the example contains', () => {
    const named = matches(textOf('docker/production.env.example'), /^([A-Z_]+)=/gm)
    expect(named).toEqual(expect.arrayContaining(requiredVariables(compose)))
  })
})

describe('the image', () => {
  it('copies only files that exist and that .dockerignore includes', () => {
    const copied = matches(textOf('docker/Dockerfile'), /^COPY (?!--from)(.+) \S+$/gm).flatMap(
      (paths) => paths.split(' '),
    )
    const included = new Set(matches(textOf('docker/Dockerfile.dockerignore'), /^!(.+)$/gm))
    const isIncluded = (path: string) => included.has(path) || included.has(dirname(path))
    expect(copied).toContain('src')
    expect(copied.filter((path) => !isIncluded(path) || !existsSync(join(ROOT, path)))).toEqual([])
  })

  it('gets every file that the program and the console are built from', () => {
    const before = textOf('docker/Dockerfile').split('RUN npm run build:program')[0] ?? ''
    const copied = matches(before, /^COPY (.+) \S+$/gm).flatMap((paths) => paths.split(' '))
    const isCopied = (path: string) =>
      copied.some((part) => path === part || path.startsWith(`${part}/`))
    const folders = [
      'packages/client/src',
      'packages/console/src',
      'packages/migration/src',
      'packages/php-serialized/src',
      'packages/store-s3/src',
      'src',
    ].flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.tsx?$/.test(name) && !name.includes('node_modules'))
        .map((name) => `${folder}/${name}`),
    )
    const tools = copied.filter((path) => /^tools\/.+\.ts$/.test(path))
    expect(tools).toContain('tools/build-console.ts')
    for (const file of [...folders, ...tools]) {
      const imported = matches(textOf(file), /^(?:import|export)\b.* from '(\.[^']+)'/gm)
      const paths = imported.map((path) => join(dirname(file), path))
      expect(
        paths.filter((path) => !isCopied(path)),
        file,
      ).toEqual([])
    }
  })

  it('contains the files of the package', () => {
    const { files } = JSON.parse(textOf('package.json'))
    const copied = matches(textOf('docker/Dockerfile'), /^COPY .*?(\w+)\/?$/gm)
    // What is in `docker` is for other programs, and of `ops` the image has the health check.
    const own = files.filter((name: string) => name !== 'docker')
    expect(copied).toEqual(expect.arrayContaining([...own, 'node_modules']))
  })

  it('has the version of the package', () => {
    const { version } = JSON.parse(textOf('package.json'))
    expect(matches(textOf('docker/Dockerfile'), /^ARG VERSION=(.+)$/gm)).toEqual([version])
  })

  it('uses a Node.js version that the package supports', () => {
    const [node = 0] = matches(textOf('docker/Dockerfile'), /^ARG NODE_IMAGE=\S+node:(\d+)/gm).map(
      Number,
    )
    const { engines } = JSON.parse(textOf('package.json'))
    expect(node).toBeGreaterThanOrEqual(Number.parseInt(engines.node.slice(2), 10))
  })
})

import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')
const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const matches = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, found = '']) => found)

const compose = textOf('docker/compose.production.yaml')

describe('compose.production.yaml', () => {
  it('sets variables that the service reads', () => {
    const read = new Set(matches(textOf('src/config/config.ts'), /^ {2}([A-Z_]+): /gm))
    const set = matches(compose, /^ {2,6}([A-Z_]+): /gm)
    expect(set).toContain('DATABASE_URL')
    expect(set.filter((name) => !read.has(name))).toEqual([])
  })

  it('asks for nothing that the example does not name', () => {
    const named = matches(textOf('docker/production.env.example'), /^([A-Z_]+)=/gm)
    expect(named).toEqual(expect.arrayContaining(matches(compose, /\$\{([A-Z_]+):\?/g)))
  })
})

describe('the image', () => {
  it('is made of what is there, and of what its build may see', () => {
    const copied = matches(textOf('docker/Dockerfile'), /^COPY (?!--from)(.+) \S+$/gm).flatMap(
      (paths) => paths.split(' '),
    )
    const seen = new Set(matches(textOf('docker/Dockerfile.dockerignore'), /^!(.+)$/gm))
    expect(copied).toContain('src')
    expect(copied.filter((path) => !seen.has(path) || !existsSync(join(ROOT, path)))).toEqual([])
  })

  it('holds what the package holds', () => {
    const { files } = JSON.parse(textOf('package.json'))
    const held = matches(textOf('docker/Dockerfile'), /^COPY .*?(\w+)\/?$/gm)
    // Of the folder of containers, the check of health is all that runs in one.
    expect(held).toEqual(expect.arrayContaining([...files, 'node_modules']))
  })

  it('is of a Node.js that the program takes', () => {
    const [node = 0] = matches(textOf('docker/Dockerfile'), /^FROM node:(\d+)/gm).map(Number)
    const { engines } = JSON.parse(textOf('package.json'))
    expect(node).toBeGreaterThanOrEqual(Number.parseInt(engines.node.slice(2), 10))
  })
})

import {
  type Figures,
  NETWORK_FIGURES,
  PAGES_FIGURES,
  type SizeFigures,
} from '../network/figures.ts'
import { alignedTable } from './aligned-table.ts'
import { figure } from './figure.ts'
import { fitGrowth, type SizedValue } from './fit-growth.ts'

const ESTIMATED_SITES = 100_000

/** A Markdown table: each figure at each size, how it grows, and what that means for 100,000 sites. */
export function networkTable(networks: readonly SizeFigures[]): string {
  const head = [
    'figure',
    ...networks.map(({ size }) => `${size} sites`),
    'exponent',
    `${ESTIMATED_SITES} sites, estimated`,
  ]
  const rows = Object.entries(NETWORK_FIGURES).map(([name, [title, unit]]) => [
    `${title}, ${unit}`,
    ...networks.map(({ figures }) => cell(figures, name)),
    ...growthCells(valuesOf(networks, name)),
  ])
  return alignedTable([head, ...rows.filter(isMeasured)])
}

/** A Markdown table of sites with many pages. */
export function pagesTable(sites: readonly SizeFigures[]): string {
  if (sites.length === 0) return ''
  const head = ['figure', ...sites.map(({ size }) => `${size} pages`)]
  const rows = Object.entries(PAGES_FIGURES).map(([name, [title, unit]]) => [
    unit === '' ? title : `${title}, ${unit}`,
    ...sites.map(({ figures }) => cell(figures, name)),
  ])
  return alignedTable([head, ...rows.filter(isMeasured)])
}

const isMeasured = ([, ...cells]: readonly string[]): boolean => cells.some((text) => text !== '')

const cell = (figures: Figures, name: string): string => {
  const value = figures[name]
  return value === undefined ? '' : figure(value)
}

function valuesOf(networks: readonly SizeFigures[], name: string): SizedValue[] {
  return networks.flatMap(({ size, figures }) => {
    const value = figures[name]
    return value === undefined ? [] : [{ size, value }]
  })
}

function growthCells(values: readonly SizedValue[]): [string, string] {
  const growth = fitGrowth(values, ESTIMATED_SITES)
  return growth ? [growth.exponent.toFixed(2), figure(growth.estimate)] : ['', '']
}

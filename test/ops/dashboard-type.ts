import type {
  Dashboard as AnyDashboard,
  FieldConfig,
  Panel,
  RowPanel,
  VariableModel,
} from '@grafana/schema'
import type { Options as StatOptions } from '@grafana/schema/dist/esm/raw/composable/stat/panelcfg/x/StatPanelCfg_types.gen'
import type { Options as TableOptions } from '@grafana/schema/dist/esm/raw/composable/table/panelcfg/x/TablePanelCfg_types.gen'
import type { Options as TimeSeriesOptions } from '@grafana/schema/dist/esm/raw/composable/timeseries/panelcfg/x/TimeSeriesPanelCfg_types.gen'

/** What a file may have of a type: all is optional, and an enum is its text. */
type InFile<T> = T extends string
  ? `${T}`
  : T extends readonly (infer Item)[]
    ? InFile<Item>[]
    : T extends object
      ? { [Key in keyof Named<T>]?: InFile<T[Key]> | null }
      : T

/** Without the index signatures, with which every property would be allowed. */
type Named<T> = {
  [Key in keyof T as string extends Key ? never : number extends Key ? never : Key]: T[Key]
}

type Source = { readonly type: 'prometheus'; readonly uid: string }

/** A query of Prometheus. */
type Query = {
  readonly refId: string
  readonly datasource: Source
  readonly expr: string
  readonly legendFormat: string
  readonly format?: 'table' | 'time_series'
  readonly instant?: boolean
}

type PanelOf<Kind extends string, Options> = InFile<
  Omit<Named<Panel>, 'type' | 'options' | 'targets' | 'fieldConfig'>
> & {
  readonly type: Kind
  readonly title: string
  readonly targets: readonly Query[]
  readonly options?: InFile<Options>
  readonly fieldConfig: {
    readonly defaults: InFile<FieldConfig>
    readonly overrides: readonly object[]
  }
}

/** A dashboard of Grafana with the panels that we use, as strict as its types allow. Grafana stores the definition of a variable, too. */
export type GrafanaDashboard = InFile<Omit<Named<AnyDashboard>, 'panels' | 'templating'>> & {
  readonly templating: {
    readonly list: readonly (InFile<VariableModel> & { readonly definition?: string })[]
  }
  readonly panels: readonly (
    | PanelOf<'stat', StatOptions>
    | PanelOf<'table', TableOptions>
    | PanelOf<'timeseries', TimeSeriesOptions>
    | (InFile<RowPanel> & { readonly type: 'row' })
  )[]
}

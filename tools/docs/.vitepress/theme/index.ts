import type { Theme } from 'vitepress'
import DefaultTheme from 'vitepress/theme-without-fonts'
import { SEARCH_OPTIONS } from '../../search.ts'
import './style.css'

export default {
  extends: DefaultTheme,
  /** Not in the configuration: VitePress would send the functions as texts, and the Content-Security-Policy lets no text become code. */
  enhanceApp: ({ siteData }) => {
    siteData.value.themeConfig.search.options = { miniSearch: { searchOptions: SEARCH_OPTIONS } }
  },
} satisfies Theme

import type { Theme } from 'vitepress'
import DefaultTheme from 'vitepress/theme-without-fonts'
import './style.css'

/** The reference is not made by VitePress, so a link to it leaves the site. */
export default {
  extends: DefaultTheme,
  enhanceApp({ router }) {
    router.onBeforeRouteChange = (to) => {
      if (!/\/reference(?:#|$)/.test(to)) return true
      location.href = to
      return false
    }
  },
} satisfies Theme

// Shows the API reference from the OpenAPI document of this service. Tokens stay in the page and are lost when it is closed.

// As the guides, whose switch stores the choice of the reader.
const chosen = localStorage.getItem('vitepress-theme-appearance')
const prefersDark = matchMedia('(prefers-color-scheme: dark)').matches
const isDark = chosen === 'dark' || (chosen !== 'light' && prefersDark)
document.documentElement.classList.toggle('dark-mode', isDark)
document.documentElement.style.colorScheme = isDark ? 'dark' : 'light'

/** Leaves out what has a page of its own: the old addressing and removed endpoints. One header for the token is enough here. */
function withoutOldAddressing(spec) {
  for (const [path, methods] of Object.entries(spec.paths))
    for (const [method, { tags, deprecated }] of Object.entries(methods))
      if (deprecated || tags.some((tag) => tag.endsWith(', old addressing')))
        delete spec.paths[path][method]
  spec.tags = spec.tags.filter(({ name }) => !name.endsWith(', old addressing'))
  spec.security = [{ bearer: [] }]
  delete spec.components.securitySchemes.svcKey
  return spec
}

const response = await fetch(new URL('../openapi.json', location.href))
window.SwaggerUIBundle({
  spec: withoutOldAddressing(await response.json()),
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  // The default validator would send the document's address to another host.
  validatorUrl: null,
})

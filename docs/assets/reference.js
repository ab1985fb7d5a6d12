// Draws the API reference from the document of this service. Tokens are kept by the page alone, until it is left.
window.SwaggerUIBundle({
  url: '../openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  // Others would be told of the document.
  validatorUrl: null,
})

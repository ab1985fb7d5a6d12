// Shows the API reference from the OpenAPI document of this service. Tokens stay in the page and are lost when it is closed.
window.SwaggerUIBundle({
  url: '../openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  // The default validator would send the document's address to another host.
  validatorUrl: null,
})

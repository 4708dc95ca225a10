/** What swagger-ui-bundle.js leaves behind for reference.js. */
declare function SwaggerUIBundle(options: Readonly<Record<string, unknown>>): unknown;

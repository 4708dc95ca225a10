/** Swagger UI on the description of the API that serves this page. The key that is typed in stays in its memory. */

const dark = matchMedia('(prefers-color-scheme: dark)');
dark.addEventListener('change', followScheme);
followScheme();
void show();

function followScheme() {
  document.documentElement.classList.toggle('dark-mode', dark.matches);
}

async function show() {
  const place = document.getElementById('reference');
  if (!place) return;
  const { description = '', base = '', failed = '' } = place.dataset;
  try {
    const response = await fetch(description);
    if (!response.ok) throw new Error(String(response.status));
    const spec = await response.json();
    // The API is asked under the name by which the reader came; the policy of the page allows no other.
    spec.servers = [{ url: new URL(base, location.href).href }];
    SwaggerUIBundle({
      spec,
      domNode: place,
      deepLinking: true,
      displayRequestDuration: true,
      defaultModelsExpandDepth: 0,
      persistAuthorization: false,
      queryConfigEnabled: false,
      supportedSubmitMethods: ['get'],
      syntaxHighlight: { theme: 'tomorrow-night' },
      validatorUrl: null,
    });
  } catch {
    place.textContent = failed;
  }
}

// For the service worker, and for the build.

/**
 * Returns text of the module for a page below the folder `base`: its addresses, which begin with `/`, with the base before them. In
 * attributes and in the JSON of events, quotes of other text are escaped. `site` is the whole address of the folder.
 */
globalThis.rewrite = (text, base, site) => {
  const attributes = /((?:href|src|action|data-events)=\\?"|"go":")\/(?!\/)/g;
  // What differs from a server is said on a page of its own.
  const words = /^<!DOCTYPE html><html lang="ko"/.test(text) ? "이 사이트" : "This site";
  return text
    .replaceAll("http://127.0.0.1:8000/", site)
    .replace(attributes, `$1${base}`)
    .replace('<footer id="foot" class="site">', (foot) => `${foot}<p><a href="${base}site.html" target="_top">${words}</a></p>`);
};

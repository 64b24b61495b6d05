/** How far below the window something begins to be near. */
const MARGIN = '200px 0px'

/** Says whether an element is in the window or near it, now and whenever that changes. Gives the function that ends it. */
export function watchNear(element, changed) {
  const observer = new IntersectionObserver((entries) => changed(entries.at(-1).isIntersecting), { rootMargin: MARGIN })
  observer.observe(element)
  return () => observer.disconnect()
}

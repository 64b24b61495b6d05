/** The vertical margin around the window within which an element is near. */
const MARGIN = '200px 0px'

/** Reports whether an element is in or near the window, initially and on each change. Returns a function that stops it. */
export function watchNear(element, changed) {
  const observer = new IntersectionObserver((entries) => changed(entries.at(-1).isIntersecting), { rootMargin: MARGIN })
  observer.observe(element)
  return () => observer.disconnect()
}

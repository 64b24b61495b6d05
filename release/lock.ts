/** An entry of a lock file: a package at a place, `node_modules/pg/node_modules/x`. */
export interface Locked {
  /** The name of the package where the place has another. */
  name?: string
  version?: string
  license?: string
  os?: string[]
  cpu?: string[]
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
  [other: string]: unknown
}

export interface Lock {
  packages: Record<string, Locked>
  [other: string]: unknown
}

/** The places of all packages that the service needs, without those that only its development needs; sorted. */
export function productionPlaces(lock: Lock): string[] {
  return placesFrom(neededBy('', lock.packages), lock)
}

/** The given places with those of all packages that they need; sorted. */
export function placesFrom(places: string[], { packages }: Lock): string[] {
  const found = new Set<string>()
  const waiting = [...places]
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    if (found.has(place)) continue
    found.add(place)
    waiting.push(...neededBy(place, packages))
  }
  return [...found].sort()
}

/** The place of the package that a file belongs to. */
export function folderOf(file: string): string {
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)![0]
}

/** The name of the package at a place. */
export function nameAt(place: string): string {
  return place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)
}

function neededBy(place: string, packages: Lock['packages']): string[] {
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = packages[place] ?? {}
  const peers = Object.keys(peerDependencies ?? {}).filter((name) => !peerDependenciesMeta?.[name]?.optional)
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers].flatMap((name) => {
    const at = placeOf(name, place, packages)
    return at === undefined ? [] : [at]
  })
}

/** Where Node.js finds a package that is imported at a place: in the nearest `node_modules` above it. */
function placeOf(name: string, place: string, packages: Lock['packages']): string | undefined {
  for (let base = place; ; base = base.slice(0, Math.max(0, base.lastIndexOf('/node_modules/')))) {
    const at = `${base && `${base}/`}node_modules/${name}`
    if (at in packages) return at
    if (base === '') return undefined
  }
}

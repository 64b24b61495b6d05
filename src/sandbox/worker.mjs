// Plain JavaScript, so that a worker finds its modules in the compile cache and does not load the type stripper, which costs each worker 12
// MB and a quarter of a second.
import { enableCompileCache, flushCompileCache } from 'node:module'
import { workerData } from 'node:worker_threads'

const { compileCache } = workerData
if (compileCache) enableCompileCache(compileCache)
const { serve } = await import('./worker.ts')
if (compileCache) flushCompileCache()
serve()

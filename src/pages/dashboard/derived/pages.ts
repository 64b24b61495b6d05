import { ApiError } from '../../../contract/declarations/errors.ts'
import type { Manageable } from '../kit/catalogue.ts'
import type { At, DashboardPage } from '../kit/page.ts'
import type { Visit } from '../kit/visit.ts'
import { bulk } from './bulk.ts'
import { listAsCsv } from './csv.ts'
import { detailPage } from './detail.ts'
import { act, actionPage, create, createPage, deletePage, edit, editPage, remove } from './forms.ts'
import { listPage, listVersion } from './list.ts'
import { backToList, changeView, saveView } from './saved-views.ts'

/** The longest rich text, each of whose characters a form may write as nine. */
const RICH_FORM_BYTES = 2 * 1024 * 1024

type Has = (things: Manageable, at: At) => unknown

/** The pages that follow from declarations. Those made by hand come before them. */
export const DERIVED: DashboardPage[] = [
  {
    path: '/:things/new',
    get: when(
      ({ create }) => create,
      (visit, things) => createPage(visit, things),
    ),
    post: when(
      ({ create }) => create,
      (visit, things, _, form) => create(visit, things, form),
    ),
    formBytes: RICH_FORM_BYTES,
  },
  { path: '/:things{[a-z0-9_]+\\.csv}', get: csv },
  {
    path: '/:things',
    get: when(
      ({ list }) => list,
      (visit, things) => {
        const view = visit.catalogue.viewOf(things.noun.name)
        return listPage(visit, things, { view, links: view?.listLinks?.(visit) })
      },
    ),
  },
  { path: '/:things/latest', get: when(({ list }) => list, listVersion) },
  {
    path: '/:things/bulk',
    get: when(({ list }) => list, backToList),
    post: when(
      ({ list, retrieve }) => list && retrieve,
      (visit, things, _, form) => bulk(visit, things, form),
    ),
  },
  {
    path: '/:things/views',
    get: when(({ list }) => list, backToList),
    post: when(
      ({ list }) => list,
      (visit, things, _, form) => saveView(visit, things, form),
    ),
  },
  {
    path: '/:things/views/:id',
    get: when(({ list }) => list, backToList),
    post: when(
      ({ list }) => list,
      (visit, things, { id }, form) => changeView(visit, things, id!, form),
    ),
  },
  {
    path: '/:things/:id',
    get: when(
      ({ retrieve }) => retrieve,
      (visit, things, { id }) => detailPage(visit, things, id!, { view: visit.catalogue.viewOf(things.noun.name) }),
    ),
  },
  {
    path: '/:things/:id/edit',
    get: when(
      ({ update, retrieve }) => update && retrieve,
      (visit, things, { id }) => editPage(visit, things, id!),
    ),
    post: when(
      ({ update, retrieve }) => update && retrieve,
      (visit, things, { id }, form) => edit(visit, things, id!, form),
    ),
    formBytes: RICH_FORM_BYTES,
  },
  {
    path: '/:things/:id/delete',
    get: when(
      ({ remove, retrieve }) => remove && retrieve,
      (visit, things, { id }) => deletePage(visit, things, id!),
    ),
    post: when(
      ({ remove, retrieve }) => remove && retrieve,
      (visit, things, { id }, form) => remove(visit, things, id!, form),
    ),
  },
  {
    path: '/:things/:id/:action',
    get: when(hasAction, (visit, things, { id, action }) => actionPage(visit, things, id!, action!)),
    post: when(hasAction, (visit, things, { id, action }, form) => act(visit, things, id!, action!, form)),
  },
]

function hasAction({ actions, retrieve }: Manageable, { action }: At): boolean {
  return retrieve !== null && actions.has(action!)
}

type Show = (visit: Visit, things: Manageable, at: At, form: URLSearchParams) => Promise<Response>

const NO_FORM = new URLSearchParams()

/** The page, where the things of its address have what it is about. Throws `resource_missing`. */
function when(has: Has, show: Show) {
  return async (visit: Visit, at: At, form: URLSearchParams = NO_FORM): Promise<Response> => {
    const things = visit.catalogue.at(at.things!)
    if (!things || !has(things, at)) throw new ApiError('resource_missing', 'Page not found.')
    return show(visit, things, at, form)
  }
}

function csv(visit: Visit, at: At): Promise<Response> {
  const path = at.things!.slice(0, -'.csv'.length)
  return when(
    ({ list }) => list,
    (_, things) => listAsCsv(visit, things),
  )(visit, { ...at, things: path })
}

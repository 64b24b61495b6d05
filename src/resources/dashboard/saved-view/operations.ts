import { flag, text } from '../../../contract/declarations/kinds.ts'
import { custom, customList } from '../../../records/custom.ts'
import { resource } from '../../../records/resource.ts'
import { changeView, deleteView, saveView, viewsOf } from './change.ts'
import { SavedView } from './saved-view.ts'

const { list, name, query, shared } = SavedView.fields
const BY_PEOPLE = { answers: SavedView, callers: ['session'] } as const

export const savedViews = resource(SavedView, {
  dashboard: [
    customList({
      ...BY_PEOPLE,
      id: 'list_saved_views',
      method: 'GET',
      path: '/saved_views',
      summary: 'List the views of a list that you saved, or that are shared',
      query: { list: text('The list, as the first part of its address', { max: 60, example: 'orders' }).required() },
      rule: async (context, { query }) => ({ rows: await viewsOf(context, query.list), hasMore: false }),
    }),
    custom({
      ...BY_PEOPLE,
      id: 'save_view',
      method: 'POST',
      path: '/saved_views',
      status: 201,
      inTurn: true,
      summary: 'Save the filters and the order of a list under a name',
      body: { list, name, query, shared },
      rule: (context, { input }) => saveView(context, input),
    }),
    custom({
      ...BY_PEOPLE,
      id: 'change_saved_view',
      method: 'PATCH',
      path: '/saved_views/{id}',
      inTurn: true,
      summary: 'Rename a saved view, or share it',
      body: {
        name: text('Name of its tab', { max: 40, example: 'Unpaid this month' }).required(),
        shared: flag('Whether everybody in the account sees it').required(),
      },
      rule: (context, { path, input }) => changeView(context, path.id, input),
    }),
    custom({
      ...BY_PEOPLE,
      id: 'delete_saved_view',
      method: 'DELETE',
      path: '/saved_views/{id}',
      summary: 'Delete a saved view',
      rule: (context, { path }) => deleteView(context, path.id),
    }),
  ],
})

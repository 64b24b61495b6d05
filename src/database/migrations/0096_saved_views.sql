-- Filters and orders of lists that people gave a name: for themselves, or for everybody in the account.
create table saved_views (
  account_id text not null,
  id text not null,
  list text not null,
  name text not null,
  query text not null,
  shared integer not null,
  user_id text not null,
  created_at text not null,
  updated_at text not null,
  primary key (account_id, id)
);
create index saved_views_by_list on saved_views (account_id, list, id);
create index saved_views_by_user on saved_views (account_id, user_id);

-- Whether buyers may pause their subscriptions themselves.
alter table accounts add column buyers_may_pause integer not null default 0;

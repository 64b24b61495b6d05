-- Whether whoever charged it before may still do so: its buyer cannot resume it then.
alter table subscriptions add column awaits_takeover integer not null default 0;

-- Whether the platform said how many followers there were that day; where it did not, `followers` means nothing.
alter table social_figures add column followers_known integer not null default 1;

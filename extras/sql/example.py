# %% [markdown]
# # Whose audience grows fastest?
#
# `npm run -s catalog -- export metrics --format parquet --out metrics.parquet` writes what this reads.

# %%
import os

import duckdb

METRICS = os.environ.get("METRICS", "metrics.parquet")
metrics = duckdb.read_parquet(METRICS)

# %% The file has its types: days are dates, audiences are whole numbers.
print(metrics.columns, metrics.types)

# %% SQL where it is short: the first and the last audience of every entry.
growth = duckdb.sql(
    """
    SELECT slug, any_value(kind) AS kind, min(day) AS since,
           arg_min(audience, day) AS first, arg_max(audience, day) AS last
    FROM metrics
    GROUP BY slug
    """
).df()

# %% pandas where that is shorter.
growth["pct"] = (growth["last"] / growth["first"].where(growth["first"] > 0) - 1) * 100
print(growth.nlargest(10, "pct").round({"pct": 1}).to_string(index=False))

# %%
by_kind = growth.groupby("kind")["pct"].describe()[["count", "mean", "50%"]]
print(by_kind.round(1).to_string())

# %% A table with a row for each day and a column for each kind, ready to plot: `people.plot()`.
people = metrics.df().pivot_table(index="day", columns="kind", values="audience", aggfunc="sum")
print(people.tail(3).to_string())

"""What Node's package managers may see of the caller's environment."""

from failsame.environments.node_tools import Tools


def test_no_secret_is_passed_on() -> None:
    """Registries, proxies, authorities and caches get through, in either spelling; tokens and code do not."""
    kept = {
        "NPM_CONFIG_REGISTRY": "a",
        "npm_config_@own:registry": "b",
        "pnpm_config_store_dir": "c",
        "npm_config_cafile": "d",
        "NODE_EXTRA_CA_CERTS": "e",
        "HTTPS_PROXY": "f",
        "YARN_NPM_REGISTRY_SERVER": "g",
        "COREPACK_HOME": "h",
        "npm_config_fetch_retry_mintimeout": "7",
    }
    refused = dict.fromkeys(
        (
            *("GITHUB_TOKEN", "NPM_TOKEN", "NODE_AUTH_TOKEN", "YARN_NPM_AUTH_TOKEN", "AWS_SECRET_ACCESS_KEY"),
            *("npm_config__auth", "npm_config_//host/:_authToken", "npm_config__authToken", "npm_config_script_shell"),
            *("NODE_OPTIONS", "npm_config_node_options", "npm_config_prefix", "YARN_ENABLE_SCRIPTS", "YARN_PLUGINS"),
        ),
        "secret",
    )
    seen = Tools.within({**kept, **refused}).variables
    assert kept.items() <= seen.items()
    assert "secret" not in seen.values()
    assert Tools.within({**kept, **refused}).registries() == {
        name: kept[name] for name in ("NPM_CONFIG_REGISTRY", "npm_config_@own:registry", "YARN_NPM_REGISTRY_SERVER")
    }

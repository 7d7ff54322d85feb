"""Trees: the hashes that Certificate Transparency gives for the same leaves, and paths that prove a leaf."""

import pytest

from shoe_daemon.runtime.merkle import Paths, Tree, leaf, root_by

LEAVES = [
    leaf(bytes.fromhex(data))
    for data in (
        "",
        "00",
        "10",
        "2021",
        "3031",
        "40414243",
        "5051525354555657",
        "606162636465666768696a6b6c6d6e6f",
    )
]
ROOTS = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]


@pytest.mark.parametrize("size", range(1, 9))
def test_the_root_is_that_of_certificate_transparency(size: int) -> None:
    assert Tree(LEAVES[:size]).root().hex() == ROOTS[size - 1]


def test_a_copy_grows_by_itself() -> None:
    tree = Tree(LEAVES[:3])
    copy = tree.copy()
    copy.add(LEAVES[3])
    assert (tree.root().hex(), tree.size) == (ROOTS[2], 3)
    assert (copy.root().hex(), copy.size) == (ROOTS[3], 4)


@pytest.mark.parametrize("size", [*range(1, 34), 64, 65, 100])
def test_a_path_leads_to_the_root_from_its_own_leaf_alone(size: int) -> None:
    leaves = [leaf(b"%d" % number) for number in range(size)]
    root, paths = Tree(leaves).root(), Paths(leaves)
    for index, one in enumerate(leaves):
        path = paths.path(index)
        assert root_by(one, index, size, path) == root
        assert root_by(leaf(b"other"), index, size, path) != root
        assert all(root_by(one, other, size, path) != root for other in range(-1, size + 1) if other != index)
        assert root_by(one, index, size, [*path, one]) is None
        assert not path or root_by(one, index, size, path[:-1]) != root
        for at in range(len(path)):
            assert root_by(one, index, size, [*path[:at], leaf(b""), *path[at + 1 :]]) != root
